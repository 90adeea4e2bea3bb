(directive . _ @embed.language (code) @embed)
(output_directive . _ @embed.language (code) @embed)
(content) @embed
(comment) @comment
