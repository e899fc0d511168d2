# SPDX-License-Identifier: GPL-3.0-or-later
# The presets load this: a compiler cache where there is one, and no failure where there is none.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
