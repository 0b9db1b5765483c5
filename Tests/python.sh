# shellcheck shell=bash
# Sourced by run.sh: the virtual environment in .venv that the tests' foreign agents, clients and validators live in.

python_requirements=Tests/EndToEndTests/Python/requirements.txt

# Makes .venv, where it is not there yet or was made for other versions. A half-made one is made anew.
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

# The SDK's example agent and client are in its source archive only: .venv/examples/agent.py, client.py, …
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
