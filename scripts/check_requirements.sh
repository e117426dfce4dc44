#!/bin/sh
# Looks for what the kit needs: Python, Java, Node and npm.
# Prints the Python to use on standard output, one line on standard error for each thing
# that is missing, and exits with 1 if anything is.
#
# PYTHON names the interpreter to use, JAVA_HOME the Java, as everywhere else.

missing=0

lacks() {
    echo "$1" >&2
    missing=1
}

# A name on PATH proves nothing: version managers put stand-ins there that fail when run.
python_fits() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null
}

find_python() {
    if [ -n "$PYTHON" ]; then
        python_fits "$PYTHON" && echo "$PYTHON"
        return
    fi
    for name in python3.14 python3.13 python3.12 python3.11 python3; do
        if python_fits "$name"; then
            echo "$name"
            return
        fi
    done
}

case $(uname -s) in
    MINGW* | MSYS* | CYGWIN* | Windows*)
        echo "Windows itself is not supported: run this inside WSL (wsl --install)." >&2
        exit 1
        ;;
esac

python=$(find_python)
if [ -n "$python" ]; then
    "$python" -c 'import ensurepip, venv' 2>/dev/null ||
        lacks "$python cannot make environments: install its venv module (Debian, Ubuntu: sudo apt install python3-venv)."
elif [ -n "$PYTHON" ]; then
    lacks "PYTHON=$PYTHON is not a Python from 3.11 to 3.14 that runs: name another, or leave PYTHON out."
else
    lacks "Python 3.11 or newer (up to 3.14) is missing: install it (Debian, Ubuntu: sudo apt install python3 python3-venv; macOS: brew install python@3.13), or name it with PYTHON=..."
fi

java=java
[ -n "$JAVA_HOME" ] && java=$JAVA_HOME/bin/java
case $("$java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p') in
    17 | 21) ;;
    "") lacks "Java 17 or 21 is missing: install it (Debian, Ubuntu: sudo apt install openjdk-17-jre-headless; macOS: brew install openjdk@17) and set JAVA_HOME if it is not on PATH." ;;
    *) lacks "$java is not Java 17 or 21: install one of them (Debian, Ubuntu: sudo apt install openjdk-17-jre-headless; macOS: brew install openjdk@17) and set JAVA_HOME to it." ;;
esac

node=$(node --version 2>/dev/null | sed -n 's/^v\([0-9]*\)\..*/\1/p')
if [ -z "$node" ]; then
    lacks "Node 20 or newer is missing: install it (https://nodejs.org/en/download; macOS: brew install node)."
elif [ "$node" -lt 20 ]; then
    lacks "node is version $node, and 20 or newer is needed: install it (https://nodejs.org/en/download; macOS: brew install node)."
fi

npm --version >/dev/null 2>&1 ||
    lacks "npm is missing: install it (it comes with Node from https://nodejs.org/en/download; Debian, Ubuntu: sudo apt install npm)."

[ "$missing" -eq 0 ] && echo "$python"
exit "$missing"
