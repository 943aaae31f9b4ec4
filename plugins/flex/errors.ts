/** Error codes of flex objects: what each means, and the fix. */
export const flexErrors = {
  ERR_FLEX_TYPE: "No schema file has this name: create flex-objects/{type}.yaml.",
  ERR_FLEX_RECORD: "The type has no record of this id.",
  ERR_FLEX_ID:
    "An id may have letters, digits, dashes and underscores, at most 64; leave it out to get one.",
  ERR_FLEX_EXISTS: "A record of this id exists already: update it, or leave the id out.",
  ERR_FLEX_CONFLICT:
    "The record was changed since it was read: read it again and repeat the change.",
  ERR_FLEX_FORBIDDEN:
    "The account or token may not write records: ask for the permission `flex.write`.",
  ERR_FLEX_AUDIENCE:
    "The change would show a record that was not shown: ask an account with the permission `pages.publish`.",
  ERR_FLEX_LIMITED:
    "The token may change only some fields of records: leave the others as they are, or use another token.",
  ERR_FLEX_INVALID: "Values do not fit the type's fields: each error names the field.",
  ERR_FLEX_WRITE:
    "The record could not be written: free disk space or fix the permissions of the folder.",
  ERR_FLEX_READ:
    "A file or folder of records cannot be read at the moment: check its permissions; it is read again until it can be.",
  ERR_FLEX_FIELD: "The type has no such field to order or filter by.",
  ERR_FLEX_YAML:
    "A file is not YAML, not a map of fields, or too large: the message gives the reason, and the line if there is one.",
  ERR_FLEX_SCHEMA: "A schema file does not describe a type: the message names the key.",
  ERR_FLEX_MIGRATION: "A migration is missing, or failed: the message names file and record.",
  ERR_FLEX_REQUIRED: "A required field has no value.",
  ERR_FLEX_KIND: "A value is not of the field's kind.",
  ERR_FLEX_OPTION: "A value is not among the field's options.",
  ERR_FLEX_MIN: "A value is below the field's minimum.",
  ERR_FLEX_MAX: "A value is above the field's maximum.",
  ERR_FLEX_DEPTH: "A value is nested deeper than ten levels: split the record.",
  ERR_FLEX_RELATION:
    "A value names a page, record, file or account that does not exist, or that the field does not allow.",
  ERR_FLEX_FORMAT: "A value does not have the field's format.",
} as const;
