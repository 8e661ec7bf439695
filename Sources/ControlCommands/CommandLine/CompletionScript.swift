// The scripts that shells load to complete contactsctl's words. The parser generates them; two things
// that are not safe with names of other people are replaced here. bash's script hands words to
// `compgen -W`, which expands them, and to readline's quoting of file names, which leaves `$` and `` ` ``
// alone. zsh's script switches history references off while it quotes, and so leaves `!` alone.

import ArgumentParser

/// The completion scripts.
enum CompletionScript {
  /// Set by the scripts of this version when they ask for words.
  static let marker = "CONTACTSCTL_COMPLETION"

  /// The script for `shell`.
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

  /// Replacements of two functions of the generated script. Words of contactsctl come ready to be
  /// inserted, after an empty line; everything else goes the generated way.
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
