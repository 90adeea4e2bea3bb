; Tables and the keys in them, and the keys before the first table.
(document (table . [(bare_key) (dotted_key) (quoted_key)] @name) @config)
(document (table_array_element . [(bare_key) (dotted_key) (quoted_key)] @name) @config)
(document (pair . [(bare_key) (dotted_key) (quoted_key)] @name) @config)
(document (table (pair . [(bare_key) (dotted_key) (quoted_key)] @name) @config))
(comment) @comment
