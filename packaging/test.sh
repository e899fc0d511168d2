#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds everything and runs all tests without a display. Safe to repeat.
#
#   packaging/test.sh           the release build, which run.sh uses too
#   packaging/test.sh PRESET    another preset: ci (warnings are errors), asan, dev
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source packaging/common.sh

preset=${1:-release}
case $preset in
release | ci | asan | dev) ;;
*) die "There is no test preset \"$preset\". Use release, ci, asan or dev." ;;
esac

install_missing packaging/packages-build.txt
build "$preset"
private_runtime_folder
say "Running all tests"
ctest --preset "$preset"
