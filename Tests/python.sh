# shellcheck shell=bash
# Sourced by the test scripts: creates the virtual environment .venv with the agents, clients and validators from
# other projects that the tests use.

python_requirements=Tests/EndToEndTests/Python/requirements.txt
version2_requirements=Tests/EndToEndTests/Python/requirements-v2.txt

# Creates .venv if it is missing, incomplete, or made for other versions.
prepare_python() {
    cat "$python_requirements" "$version2_requirements" | cmp --silent - .venv/requirements.txt && return
    rm -rf .venv
    if ! python3 -m venv .venv ||
        ! .venv/bin/pip --quiet --disable-pip-version-check install --requirement "$python_requirements" ||
        ! install_version2 || ! fetch_examples; then
        echo "The Python packages of $python_requirements could not be installed" >&2
        return 1
    fi
    cat "$python_requirements" "$version2_requirements" >.venv/requirements.txt
}

# Installs the SDK with version 2 of ACP into a folder of its own, because its name is the same. It uses the packages of
# the virtual environment.
install_version2() {
    .venv/bin/pip --quiet --disable-pip-version-check install --no-deps --target .venv/version2 \
        --requirement "$version2_requirements"
}

# Only the SDK's source archive contains the example agent and client: .venv/examples/agent.py, client.py, …
fetch_examples() {
    local folder sdk
    sdk=$(sed --quiet 's/^\(agent-client-protocol\)\[http\]==/\1==/p' "$python_requirements")
    folder=$(mktemp --directory)
    .venv/bin/pip --quiet --disable-pip-version-check download --no-deps --no-binary :all: --dest "$folder" "$sdk" &&
        mkdir -p .venv/examples &&
        tar --extract --file "$folder"/*.tar.gz --directory .venv/examples --strip-components 2 --wildcards '*/examples/*.py'
    local status=$?
    rm -rf "$folder"
    return $status
}
