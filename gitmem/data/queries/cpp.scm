; What C++ adds to C. Types and namespaces.
(namespace_definition name: (_) @name body: (_) @body) @module
(class_specifier
  name: [(type_identifier) @name (template_type name: (type_identifier) @name)]
  body: (_) @body) @class
(struct_specifier name: (template_type name: (type_identifier) @name) body: (_) @body) @struct
(class_specifier (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @extends)) @class
(struct_specifier (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @extends)) @struct
(alias_declaration name: (type_identifier) @name) @type
(concept_definition name: (identifier) @name) @type
(attribute_declaration (attribute) @decorator)

; Members where a class is defined.
(function_definition
  declarator: [
    (function_declarator
      declarator: [(field_identifier) (operator_name) (destructor_name)] @name parameters: (_) @parameters)
    (pointer_declarator declarator: (function_declarator
      declarator: [(field_identifier) (operator_name)] @name parameters: (_) @parameters))
    (reference_declarator (function_declarator
      declarator: [(identifier) (field_identifier) (operator_name)] @name parameters: (_) @parameters))
  ]
  body: (_)? @body) @function
(field_declaration
  declarator: [
    (function_declarator declarator: [(field_identifier) (operator_name)] @name parameters: (_) @parameters)
    (pointer_declarator declarator: (function_declarator
      declarator: [(field_identifier) (operator_name)] @name parameters: (_) @parameters))
    (reference_declarator (function_declarator
      declarator: [(field_identifier) (operator_name)] @name parameters: (_) @parameters))
  ]) @function
(declaration
  declarator: (function_declarator declarator: (destructor_name) @name parameters: (_) @parameters)) @function
(translation_unit
  (declaration declarator: (reference_declarator (function_declarator
    declarator: (identifier) @name parameters: (_) @parameters))) @function)
(declaration_list
  (declaration declarator: (reference_declarator (function_declarator
    declarator: (identifier) @name parameters: (_) @parameters))) @function)
(template_declaration
  (declaration declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)) @function)
(field_declaration_list
  (function_definition
    declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    body: (_)? @body) @constructor)
(field_declaration_list
  (declaration
    declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)) @constructor)

; Members where a class is not defined.
(function_definition
  declarator: [
    (function_declarator
      declarator: [
        (qualified_identifier scope: (_) @owner name: [(identifier) (operator_name) (destructor_name)] @name)
        (qualified_identifier name: (qualified_identifier
          scope: (_) @owner name: [(identifier) (operator_name) (destructor_name)] @name))
        (qualified_identifier name: (qualified_identifier name: (qualified_identifier
          scope: (_) @owner name: [(identifier) (operator_name) (destructor_name)] @name)))
      ]
      parameters: (_) @parameters)
    (pointer_declarator declarator: (function_declarator
      declarator: [
        (qualified_identifier scope: (_) @owner name: [(identifier) (operator_name)] @name)
        (qualified_identifier name: (qualified_identifier
          scope: (_) @owner name: [(identifier) (operator_name)] @name))
      ]
      parameters: (_) @parameters))
    (reference_declarator (function_declarator
      declarator: [
        (qualified_identifier scope: (_) @owner name: [(identifier) (operator_name)] @name)
        (qualified_identifier name: (qualified_identifier
          scope: (_) @owner name: [(identifier) (operator_name)] @name))
      ]
      parameters: (_) @parameters))
  ]
  body: (_)? @body) @function
((function_definition
  declarator: (function_declarator declarator: [
    (qualified_identifier scope: [
      (namespace_identifier) @owner (template_type name: (_) @owner)
    ] name: (identifier) @name)
    (qualified_identifier name: (qualified_identifier scope: [
      (namespace_identifier) @owner (template_type name: (_) @owner)
    ] name: (identifier) @name))
  ])) @constructor
  (#eq? @owner @name))
(declaration_list
  (declaration declarator: (init_declarator declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
  ])) @constant)

; Imports.
(using_declaration "namespace" [(identifier) (qualified_identifier)] @module @everything) @import
(using_declaration . "using" . (qualified_identifier scope: (_) @module name: (_) @name)) @import
(import_declaration name: (_) @module) @import

; Calls and constructions.
(call_expression function: (template_function name: (identifier) @call.name) arguments: (_) @arguments) @call
(call_expression
  function: [
    (qualified_identifier scope: (_) @receiver name: [
      (identifier) @call.name
      (template_function name: (identifier) @call.name)
    ])
    (qualified_identifier scope: (_) @receiver name: (qualified_identifier scope: (_) @receiver name: [
      (identifier) @call.name
      (template_function name: (identifier) @call.name)
    ]))
    (qualified_identifier !scope name: (identifier) @call.name)
    (field_expression argument: (_) @receiver field: (template_method name: (_) @call.name))
    (field_expression argument: (_) @receiver field: (dependent_name (template_method name: (_) @call.name)))
  ]
  arguments: (_) @arguments) @call
(new_expression
  type: [
    (type_identifier) @call.name
    (template_type name: (_) @call.name)
    (qualified_identifier scope: (_) @receiver name: (type_identifier) @call.name)
    (qualified_identifier scope: (_) @receiver name: (template_type name: (_) @call.name))
  ]
  arguments: (_)? @arguments) @new
(compound_literal_expression type: [
  (type_identifier) @call.name
  (template_type name: (_) @call.name)
  (qualified_identifier scope: (_) @receiver name: (type_identifier) @call.name)
] value: (_) @arguments) @new

; What a name is.
(parameter_declaration
  type: [(qualified_identifier) (template_type)] @type
  declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (reference_declarator (identifier) @name)
  ]) @binding
(parameter_declaration type: (type_identifier) @type declarator: (reference_declarator (identifier) @name)) @binding
(optional_parameter_declaration
  type: [(type_identifier) (qualified_identifier) (template_type)] @type
  declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (reference_declarator (identifier) @name)
  ]) @binding
(declaration
  type: [(qualified_identifier) (template_type)] @type
  declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (init_declarator declarator: [
      (identifier) @name
      (pointer_declarator declarator: (identifier) @name)
      (reference_declarator (identifier) @name)
    ])
  ]) @binding
(declaration
  type: (type_identifier) @type
  declarator: (init_declarator declarator: (reference_declarator (identifier) @name))) @binding
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)]
    value: [
      (new_expression type: (_) @type)
      (call_expression function: [(identifier) (qualified_identifier)] @type)
      (compound_literal_expression type: (_) @type)
    ])) @binding
(field_declaration
  type: [(qualified_identifier) (template_type)] @type
  declarator: [
    (field_identifier) @name
    (pointer_declarator declarator: (field_identifier) @name)
    (reference_declarator (field_identifier) @name)
  ]) @binding
(for_range_loop
  type: [(type_identifier) (qualified_identifier) (template_type)] @type
  declarator: [(identifier) @name (reference_declarator (identifier) @name)]) @binding

; What is thrown and caught.
(throw_statement (call_expression function: [(identifier) (qualified_identifier)] @throw))
(throw_statement (compound_literal_expression type: (_) @throw))
(catch_clause parameters: (parameter_list (parameter_declaration type: (_) @catch)))
