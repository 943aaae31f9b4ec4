import type { ComponentType } from "preact";
import type { Field } from "../../api/page-types.js";

/** A form control for one field. */
export interface FieldInputProps {
  field: Field;
  value: unknown;
  /** What the server found wrong; null: nothing. */
  error: string | null;
  isEditable: boolean;
  /** Undefined removes the value. */
  onChange(value: unknown): void;
}
/** A control without label and messages. */
export interface ControlProps extends FieldInputProps {
  id: string;
  describedBy: string | undefined;
  /** Draws a field inside this one. */
  Nested: ComponentType<FieldInputProps>;
}
