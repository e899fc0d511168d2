#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and opens the window on a sample comparison. Without a display it prints the
# comparison and writes its figures. Safe to repeat.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source packaging/common.sh

print_comparison() {
    local figures=$PWD/build/sample-figures
    say "The sample comparison"
    build/release/app/ridgepoint-cli compare --explain
    say "Drawing its figures"
    mkdir -p "$figures"
    QT_QPA_PLATFORM=offscreen build/release/app/gui/ridgepoint --figures "$figures"
    say "The figures are in $figures"
}

install_missing packaging/packages-build.txt
build release ridgepoint ridgepoint-cli ridgepoint-probe-cpu
private_runtime_folder

if [[ -z ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
    say "There is no display, so no window opens"
    print_comparison
    exit
fi
say "Opening the window"
if ! build/release/app/gui/ridgepoint "$@"; then
    say "The window could not be opened"
    print_comparison
fi
