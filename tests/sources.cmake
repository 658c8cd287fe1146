# sources.cmake: tests of what does not depend on the sanitizers: of the sources themselves, of programs built with
# options of their own, and of a program that is killed and starved.

# The broken solvers of scripts/check can still be made.
add_test(NAME mutants_fit
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/mutants/fit.sh ${PROJECT_SOURCE_DIR})

# The folders use each other in one direction only, and each library has its place; a test of that
# test plants violations in a copy.
add_test(NAME rooms COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/rooms/rooms.sh ${PROJECT_SOURCE_DIR})
add_test(NAME rooms_planted
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/rooms/planted.sh ${PROJECT_SOURCE_DIR})

# The verifier shares nothing with the code that makes tables, but the reader.
add_test(NAME verify_shares_nothing
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/verify/shares_nothing.sh ${CMAKE_NM}
          $<TARGET_FILE:merels_verify> ${PROJECT_SOURCE_DIR}/verify)

# The reader of edition compact needs no library.
find_program(CXX_FOR_EMBED NAMES c++ g++ clang++ REQUIRED)
add_test(NAME compact_freestanding
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/compact/freestanding.sh ${CMAKE_C_COMPILER} ${CXX_FOR_EMBED}
          ${CMAKE_NM} ${PROJECT_SOURCE_DIR})

# It says the same as C++, and in a browser's module; the packages over it and over libmerels. The rest is
# in scripts/check.
set(EVERYWHERE ${CMAKE_CURRENT_SOURCE_DIR}/compact/everywhere.sh)
set(STARTERS ${PROJECT_SOURCE_DIR}/data/three.mce ${PROJECT_SOURCE_DIR}/data/six.mce)
add_test(NAME compact_as_cxx
  COMMAND ${EVERYWHERE} cxx ${CMAKE_C_COMPILER} ${PROJECT_SOURCE_DIR} ${STARTERS})
find_program(MERELS_NODE NAMES node)
if(MERELS_NODE)
  add_test(NAME compact_in_node
    COMMAND ${EVERYWHERE} wasm ${CMAKE_C_COMPILER} ${PROJECT_SOURCE_DIR} ${STARTERS})
  add_test(NAME embed_js COMMAND ${MERELS_NODE} --test ${PROJECT_SOURCE_DIR}/embed/js/test/)
  set_tests_properties(compact_in_node embed_js PROPERTIES TIMEOUT 600)
endif()
add_test(NAME embed_python COMMAND ${MERELS_PYTHON3} -B -m unittest discover
  -s ${PROJECT_SOURCE_DIR}/embed/python)
set_tests_properties(embed_python PROPERTIES
  ENVIRONMENT "MERELS_LIBRARY=$<TARGET_FILE:merels_shared>;MERELS_PROGRAM=$<TARGET_FILE:merels>;PYTHONPATH=${PROJECT_SOURCE_DIR}/embed/python")

# The program while memory, disk and descriptors end, and killed at any moment.
add_library(merels_inject SHARED faults/inject.c)
add_test(NAME faults
  COMMAND ${MERELS_PYTHON3} -B ${CMAKE_CURRENT_SOURCE_DIR}/faults/run.py $<TARGET_FILE:merels>
          $<TARGET_FILE:merels_inject>)
set_tests_properties(faults PROPERTIES TIMEOUT 1200 RESOURCE_LOCK clock)
add_test(NAME reliability_names
  COMMAND ${MERELS_PYTHON3} -B ${CMAKE_CURRENT_SOURCE_DIR}/faults/names.py ${PROJECT_SOURCE_DIR})
