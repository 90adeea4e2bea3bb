; What a component is given.
((call_expression
  function: (identifier) @_props
  type_arguments: (type_arguments (object_type (property_signature name: (_) @name) @field)))
  (#eq? @_props "defineProps"))
((call_expression
  function: (identifier) @_props
  arguments: (arguments . (object (pair key: (_) @name) @field)))
  (#eq? @_props "defineProps"))
((call_expression
  function: (identifier) @_props
  arguments: (arguments . (array (string) @name @field)))
  (#eq? @_props "defineProps"))
((object (pair key: (_) @_props value: (object (pair key: (_) @name) @field))) (#eq? @_props "props"))
((object (pair key: (_) @_props value: (array (string) @name @field))) (#eq? @_props "props"))
((variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @name @field
    (pair_pattern key: (_) @name) @field
    (object_assignment_pattern left: (_) @name) @field
  ])
  value: (call_expression function: (identifier) @_props))
  (#eq? @_props "$props"))

; Stores whose members are taken by name.
((call_expression
  function: (identifier) @_map
  arguments: (arguments . [(identifier) (string)] @uses))
  (#any-of? @_map "mapState" "mapGetters" "mapActions" "mapMutations" "mapStores" "mapWritableState"))
