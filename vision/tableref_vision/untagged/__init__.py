"""Reading boards whose pieces wear no tags: discs, balls and tokens, told by shape and colour.

`reader.UntaggedReader` learns a set of pieces from pictures in which people have said what stands
where, and then says for every cell what may stand there. Modules: `ground` flattens pictures,
`light` carries the light over from the empty board, `change` finds what differs from it, `rounds`
and `tokens` hold what differs against the pieces learnt, `signs` reads what is engraved on top.
"""
