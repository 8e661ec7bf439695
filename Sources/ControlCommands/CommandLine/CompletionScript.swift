// The scripts for shell completion. The parser generates them; this file replaces two parts that are not safe
// for names from other people. The script for bash passes words to `compgen -W`, which expands them, and
// relies on readline's quoting of file names, which does not escape `$` and `` ` ``. The script for zsh
// disables history references while it quotes, and so does not escape `!`.

import ArgumentParser

/// The completion scripts.
enum CompletionScript {
  /// The environment variable that these scripts set when they request words.
  static let marker = "CONTACTSCTL_COMPLETION"

  /// Returns the script for `shell`.
  static func text(for shell: CompletionShell) -> String {
    let generated = Contactsctl.completionScript(for: shell)
    switch shell {
    case .bash: return generated + "\n" + bashFunctions
    case .zsh:
      let switchedOff = "unsetopt aliases banghist"
      precondition(
        generated.contains(switchedOff),
        "The generated zsh script has changed: check how it quotes “!” (CompletionScript).")
      return generated.replacing(
        switchedOff, with: "unsetopt aliases\n    local -xr \(marker)=1")
    default: return generated
    }
  }

  /// Replacements of two functions of the generated script. Words from contactsctl follow an empty line and
  /// are already escaped; other completions use the generated functions.
  private static let bashFunctions = #"""

    __contactsctl_custom_complete() {
        if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
            local -ar words=("${COMP_WORDS[@]}")
        else
            local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
        fi

        printf '\n'
        CONTACTSCTL_COMPLETION=1 "${COMP_WORDS[0]}" "${@}" "${words[@]}"
    }

    __contactsctl_add_completions() {
        local completion
        if [[ "${1}" == -W && "${2}" == $'\n'* ]]; then
            # The words are quoted already, and are not expanded here.
            compopt +o filenames 2>/dev/null
            while IFS='' read -r completion; do
                [[ -z "${completion}" ]] || COMPREPLY+=("${completion}")
            done <<<"${2}"
            return
        fi
        while IFS='' read -r completion; do
            COMPREPLY+=("${completion}")
        done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
    }
    """#
}
