# shellcheck shell=bash
# Sourced by the test scripts: creates the virtual environment .venv with the agents, clients and validators from
# other projects that the tests use.

python_requirements=Tests/EndToEndTests/Python/requirements.txt

# Creates .venv if it is missing, incomplete, or made for other versions.
prepare_python() {
    cmp --silent "$python_requirements" .venv/requirements.txt && return
    rm -rf .venv
    if ! python3 -m venv .venv ||
        ! .venv/bin/pip --quiet --disable-pip-version-check install --requirement "$python_requirements" ||
        ! fetch_examples; then
        echo "The Python packages of $python_requirements could not be installed" >&2
        return 1
    fi
    cp "$python_requirements" .venv/requirements.txt
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
