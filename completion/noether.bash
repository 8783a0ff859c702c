# the words of noether in bash: verbs, models, and the options that `noether VERB --help` lists.
# SPDX-License-Identifier: BSD-3-Clause
_noether() {
    local command=${COMP_WORDS[0]} verb=${COMP_WORDS[1]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words
    local verbs="$("$command" --help 2>/dev/null | sed -n 's/^  noether \([a-z]*\) .*/\1/p') help"
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ] || { [ "$COMP_CWORD" = 2 ] && [ "$verb" = help ]; }; then
        COMPREPLY=($(compgen -W "$verbs --help --version" -- "$word"))
        return
    fi
    case $before in
        --method | --methods) words="simpson midpoint newmark gauss lobatto rk4 verlet yoshida4 kahan-li6 kahan-li8 compose" ;;
        --solver) words="auto fixed-point chord newton" ;;
        --digits) words="15 33 64" ;;
        --dim) words="2 3" ;;
        --norm) words="sup l2" ;;
        --component) words="max euclid" ;;
        --reference) words="exact self 33 64" ;;
        --orders) words="ends last fit" ;;
        -o | --output | --plot | --animate | --html | --all | --ensemble | --from | --data)
            COMPREPLY=($(compgen -f -- "$word"))
            return ;;
    esac
    if [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        return
    fi
    case $word in
        -*) words=$("$command" "$verb" --help 2>/dev/null | sed -n 's/^  \(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p') ;;
        *) case $verb in
               show) words="methods options simpson gauss lobatto verlet rk4" ;;
               structure) words="cantilever membrane" ;;
               study) [ "$COMP_CWORD" = 2 ] && words="convergence drift work $(compgen -f -X '!*.study' -- "$word")" ;;
           esac
           [ "$verb" = structure ] \
               || words="$words $(compgen -f -X '!*.lag' -- "$word") $(compgen -d -S / -- "$word") $("$command" systems 2>/dev/null | cut -d' ' -f1)" ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o filenames -F _noether noether
