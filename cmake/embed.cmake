# embed.cmake: writes a file as a C array:
#
#     cmake -DINPUT=FILE -DOUTPUT=FILE.c -DHEADER=FILE.h -DNAME=merels_name -P embed.cmake
file(READ ${INPUT} BYTES HEX)
string(REGEX REPLACE "(..)" "0x\\1," BYTES "${BYTES}")
file(WRITE ${OUTPUT} "#include \"${HEADER}\"\n\nconst unsigned char ${NAME}[] = {${BYTES}};\nconst size_t ${NAME}_bytes = sizeof ${NAME};\n")
