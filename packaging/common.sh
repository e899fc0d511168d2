# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by run.sh, test.sh and .ci/run; sourced with the repository as the working folder.

export LC_ALL=C.UTF-8

say() { printf '== %s\n' "$*"; }

die() {
    printf '%s\n' "$*" >&2
    exit 1
}

# package_names FILE...: without comments and empty lines.
package_names() { sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' -- "$@"; }

installed() { [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

# install_missing FILE...: the packages of these lists that are not there yet.
install_missing() {
    command -v apt-get >/dev/null || die "This needs Debian's apt-get. Elsewhere, install what packaging/packages-build.txt lists and run: cmake --preset release && cmake --build --preset release"
    local name missing=() root=()
    while read -r name; do
        installed "$name" || missing+=("$name")
    done < <(package_names "$@")
    ((${#missing[@]})) || return 0
    if ((EUID != 0)); then
        command -v sudo >/dev/null || die "Missing packages: ${missing[*]}. Run this as root once, or install sudo."
        root=(sudo)
    fi
    say "Installing ${#missing[@]} Debian packages: ${missing[*]}"
    # Quiet unless it fails; sudo would drop variables, so env sets them behind it.
    local log
    log=$(mktemp)
    if ! { "${root[@]}" apt-get update -q &&
        "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"; } \
        >"$log" 2>&1; then
        tail -n 30 "$log" >&2
        rm -f "$log"
        die "The packages could not be installed. The last lines of apt-get are above."
    fi
    rm -f "$log"
}

# build_jobs: one per processor, but no more than memory has room for (about 1.5 GB each).
build_jobs() {
    local jobs memory
    jobs=$(nproc)
    memory=$(awk '/^MemAvailable:/ { print int($2 / 1500000) }' /proc/meminfo)
    ((memory >= 1)) || memory=1
    echo $((jobs < memory ? jobs : memory))
}

# configure PRESET: once; later Ninja does it itself where a CMake file changed. CMake's own words are shown only when it
# fails.
configure() {
    [[ ! build/$1/build.ninja -nt CMakePresets.json ]] || return 0
    say "Configuring build/$1"
    local log
    log=$(mktemp)
    if ! cmake --preset "$1" >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        die "CMake could not configure. Its output is above."
    fi
    rm -f "$log"
}

# build PRESET [TARGET...]
build() {
    local preset=$1
    shift
    configure "$preset"
    say "Building build/$preset with $(build_jobs) jobs; the first time takes some minutes"
    cmake --build --preset "$preset" --parallel "$(build_jobs)" ${1:+--target "$@"}
}

# private_runtime_folder: Qt wants one that only this user can read, and a bare container has none.
private_runtime_folder() {
    if [[ ! -d ${XDG_RUNTIME_DIR:-} ]]; then
        XDG_RUNTIME_DIR=$(mktemp -d)
        chmod 700 "$XDG_RUNTIME_DIR"
        export XDG_RUNTIME_DIR
        trap 'rm -rf "$XDG_RUNTIME_DIR"' EXIT
    fi
}
