; Tables, views and routines.
(create_table (object_reference name: (identifier) @name) (column_definitions)? @body) @table
(create_view (object_reference name: (identifier) @name) (create_query)? @body) @view
(create_materialized_view (object_reference name: (identifier) @name) (create_query)? @body) @view
(create_function
  (object_reference name: (identifier) @name)
  (function_arguments)? @parameters
  (function_body)? @body) @function
(create_trigger [(keyword_trigger) (keyword_exists)] . (object_reference name: (identifier) @name)) @function
(create_type (object_reference name: (identifier) @name)) @type

; What is read and written.
(relation (object_reference name: (identifier) @uses))
(insert (object_reference name: (identifier) @uses))
(create_trigger [(keyword_on) (keyword_function) (keyword_procedure)] . (object_reference name: (identifier) @uses))
(column_definition (object_reference name: (identifier) @uses))
(constraint (object_reference name: (identifier) @uses))
(alter_table (object_reference name: (identifier) @uses))
(create_index (object_reference name: (identifier) @uses))

; Calls.
(invocation (object_reference name: (identifier) @call.name)) @call

[(comment) (marginalia)] @comment
