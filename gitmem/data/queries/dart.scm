; Types. A mixin is a class; what an extension holds belongs to its type.
(class_definition name: (identifier) @name body: (_) @body) @class
(class_definition (interface) name: (identifier) @name) @interface
(class_definition (mixin_application_class . (identifier) @name)) @class
(class_definition superclass: (superclass . (type_identifier) @extends)) @class
(class_definition superclass: (superclass (mixins (type_identifier) @implements))) @class
(class_definition interfaces: (interfaces (type_identifier) @implements)) @class
(class_definition (mixin_application_class (mixin_application . (type_identifier) @extends))) @class
(class_definition (mixin_application_class (mixin_application (mixins (type_identifier) @implements)))) @class
(mixin_declaration (mixin) . (identifier) @name (class_body) @body) @class
(mixin_declaration (type_identifier) @extends) @class
(mixin_declaration (interfaces (type_identifier) @implements)) @class
(enum_declaration name: (identifier) @name body: (_) @body) @enum
(enum_declaration (interfaces (type_identifier) @implements)) @enum
(extension_declaration name: (identifier) @name body: (_) @body) @module
(extension_type_declaration name: (identifier) @name body: (_) @body) @class
(type_alias (type_identifier) @name . "=") @type
(type_alias (type_identifier) @name . (type_parameters) . "=") @type
(type_alias (type_identifier) @name . (formal_parameter_list)) @type

; Functions: a body stands beside the signature that it belongs to.
(function_signature name: (identifier) @name) @function
((function_signature name: (identifier) @name) @function . (function_body) @body)
((method_signature (function_signature name: (identifier) @name)) @function . (function_body) @body)
(function_signature (formal_parameter_list (formal_parameter) @parameter)) @function
(function_signature (formal_parameter_list (optional_formal_parameters (formal_parameter) @parameter))) @function
(getter_signature name: (identifier) @name) @function
((getter_signature name: (identifier) @name) @function . (function_body) @body)
((method_signature (getter_signature name: (identifier) @name)) @function . (function_body) @body)
(setter_signature name: (identifier) @name) @function
(setter_signature (formal_parameter_list (formal_parameter) @parameter)) @function
((method_signature (setter_signature name: (identifier) @name)) @function . (function_body) @body)
(operator_signature [(binary_operator) "[]" "[]=" "~"] @name) @function
(operator_signature (formal_parameter_list (formal_parameter) @parameter)) @function
((method_signature (operator_signature [(binary_operator) "[]" "[]=" "~"] @name)) @function . (function_body) @body)
(lambda_expression parameters: (function_signature name: (identifier) @name) body: (_) @body) @function
(extension_declaration
  class: (type_identifier) @owner
  body: (extension_body (method_signature [
    (function_signature name: (identifier) @name)
    (getter_signature name: (identifier) @name)
    (operator_signature [(binary_operator) "[]" "[]=" "~"] @name)
  ]) @function))

; Constructors, named and factories.
(constructor_signature (identifier) @name . (formal_parameter_list)) @constructor
(constructor_signature (formal_parameter_list (formal_parameter) @parameter)) @constructor
(constructor_signature (formal_parameter_list (optional_formal_parameters (formal_parameter) @parameter))) @constructor
((method_signature (constructor_signature (identifier) @name . (formal_parameter_list))) @constructor
  . (function_body) @body)
(constant_constructor_signature (identifier) @name . (formal_parameter_list)) @constructor
(constant_constructor_signature (formal_parameter_list (formal_parameter) @parameter)) @constructor
(constant_constructor_signature
  (formal_parameter_list (optional_formal_parameters (formal_parameter) @parameter))) @constructor
(factory_constructor_signature (identifier) @name . (formal_parameter_list)) @constructor
(factory_constructor_signature (formal_parameter_list (formal_parameter) @parameter)) @constructor
((method_signature (factory_constructor_signature (identifier) @name . (formal_parameter_list))) @constructor
  . (function_body) @body)
(redirecting_factory_constructor_signature (identifier) @name . (formal_parameter_list)) @constructor

; Fields, values that are kept, members of enums.
(class_body (declaration (initialized_identifier_list (initialized_identifier . (identifier) @name))) @field)
(class_body (declaration (static_final_declaration_list (static_final_declaration . (identifier) @name))) @field)
(enum_body (declaration (initialized_identifier_list (initialized_identifier . (identifier) @name))) @field)
(program (initialized_identifier_list (initialized_identifier . (identifier) @name) @constant))
(program (static_final_declaration_list (static_final_declaration . (identifier) @name) @constant))
(enum_constant name: (identifier) @name) @constant

; Annotations of what is defined.
(class_definition (annotation) @decorator)
(class_body (annotation) @decorator)
(program (annotation) @decorator)

; Imports: all of a file, some names of it, or all under one name.
(import_specification [(configurable_uri) (uri)] @module @everything .) @import
(import_specification [(configurable_uri) (uri)] @module @everything . (combinator "hide")) @import
(import_specification [(configurable_uri) (uri)] @module (combinator "show" (identifier) @name)) @import
(import_specification [(configurable_uri) (uri)] @module (identifier) @namespace) @import
(library_export (configurable_uri) @module @everything .) @import
(library_export (configurable_uri) @module @everything . (combinator "hide")) @import
(library_export (configurable_uri) @module (combinator "show" (identifier) @name)) @import
(part_directive (uri) @module @everything) @import
(part_of_directive (uri) @module @everything) @import

; Calls and constructions: the name of a type begins with a capital.
((identifier) @call.name @call . (selector (argument_part (arguments) @arguments))
  (#not-match? @call.name "^_?[A-Z]"))
((identifier) @call.name @new . (selector (argument_part (arguments) @arguments))
  (#match? @call.name "^_?[A-Z]"))
([(identifier) (this)] @receiver
  . (selector [
    (unconditional_assignable_selector (identifier) @call.name)
    (conditional_assignable_selector (identifier) @call.name)
  ]) @call
  . (selector (argument_part (arguments) @arguments)))
([(identifier) (this)] @receiver
  . (selector (unconditional_assignable_selector)) @receiver
  . (selector [
    (unconditional_assignable_selector (identifier) @call.name)
    (conditional_assignable_selector (identifier) @call.name)
  ]) @call
  . (selector (argument_part (arguments) @arguments)))
((super) @receiver
  . (unconditional_assignable_selector (identifier) @call.name) @call
  . (selector (argument_part (arguments) @arguments)))
((selector) @receiver.rest
  . (selector [
    (unconditional_assignable_selector (identifier) @call.name)
    (conditional_assignable_selector (identifier) @call.name)
  ]) @call
  . (selector (argument_part (arguments) @arguments)))
(cascade_section
  (cascade_selector (identifier) @call.name) @receiver.rest
  . (argument_part (arguments) @arguments)) @call
(new_expression (type_identifier) @call.name (arguments) @arguments) @new
(const_object_expression (type_identifier) @call.name (arguments) @arguments) @new

; What a name is.
(formal_parameter (type_identifier) @type name: (identifier) @name) @binding
(initialized_variable_definition (type_identifier) @type name: (identifier) @name) @binding
(initialized_variable_definition
  name: (identifier) @name value: (identifier) @type . value: (selector (argument_part))) @binding
(initialized_variable_definition
  name: (identifier) @name value: [
    (new_expression (type_identifier) @type)
    (const_object_expression (type_identifier) @type)
  ]) @binding
(declaration
  (type_identifier) @type (initialized_identifier_list (initialized_identifier . (identifier) @name))) @binding
(initialized_identifier . (identifier) @name . (identifier) @type . (selector (argument_part))) @binding
(static_final_declaration . (identifier) @name . (identifier) @type . (selector (argument_part))) @binding
(for_loop_parts (type_identifier) @type name: (identifier) @name) @binding

; What is thrown, caught, and named as a type.
(throw_expression . (identifier) @throw)
(throw_expression . (new_expression (type_identifier) @throw))
(throw_expression . (const_object_expression (type_identifier) @throw))
(try_statement (type_identifier) @catch)
(type_identifier) @type.reference

[(comment) (documentation_comment)] @comment
