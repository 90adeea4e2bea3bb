; Types.
(class_declaration ["class" "interface"] (type_identifier) @name (class_body)? @body) @class
(class_declaration "class" (type_identifier) @name (class_body)? @body) @class
(class_declaration "interface" (type_identifier) @name (class_body)? @body) @interface
(class_declaration "enum" (type_identifier) @name (enum_class_body)? @body) @enum
(object_declaration (type_identifier) @name (class_body)? @body) @class
(companion_object (type_identifier) @name (class_body)? @body) @class
(type_alias (type_identifier) @name) @type
