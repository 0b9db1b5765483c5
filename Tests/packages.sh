# shellcheck shell=bash
# Sourced by the project's scripts: prepares a Debian machine to build the package.

# Packages that `swift build` needs in addition to the toolchain.
build_packages=(libsqlite3-dev libssl-dev zlib1g-dev libcurl4-openssl-dev pkg-config)

# Packages that check and build the web page.
page_packages=(
    nodejs esbuild node-typescript node-markdown-it node-prismjs node-diff node-entities node-punycode node-ws
)

# Installs the named Debian packages that are missing. Does nothing if all are installed.
#     install_packages jq python3-venv
install_packages() {
    local package root=() missing=()
    if ! command -v dpkg-query >/dev/null; then
        echo "This is not a Debian machine. Install the packages that correspond to these Debian packages: $*" >&2
        return 0
    fi
    for package in "$@"; do
        [[ $(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
            missing+=("$package")
    done
    ((${#missing[@]})) || return 0

    if ((EUID != 0)); then
        root=(sudo)
        [[ -t 0 ]] || root+=(--non-interactive)
        command -v sudo >/dev/null || root=()
        if ! ((${#root[@]})); then
            echo "Debian packages are missing, and there is no sudo. As root: apt-get install ${missing[*]}" >&2
            return 1
        fi
    fi
    echo "Installing ${missing[*]}"
    if ! "${root[@]}" apt-get -qq update ||
        ! "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get -qq install --yes --no-install-recommends -o Dpkg::Use-Pty=0 "${missing[@]}" >/dev/null; then
        echo "These Debian packages could not be installed: ${missing[*]}. As root: apt-get install ${missing[*]}" >&2
        return 1
    fi
}

# Fails with a message if 'swift' is not in PATH.
require_swift() {
    command -v swift >/dev/null && return
    echo "'swift' is not in PATH. acpbridge needs the Swift 6.3 toolchain or a newer one: https://www.swift.org/install" >&2
    return 1
}
