import type { Field } from "#kernel";

/** A form as its file describes it. */
export interface Form {
  readonly name: string;
  readonly title: string;
  /** Text of the button; empty: the theme's. */
  readonly submit: string;
  readonly fields: readonly Field[];
  /** Path of the page after the form; null: the built-in one. */
  readonly thanks: string | null;
  readonly mail: FormMail | null;
  readonly webhook: boolean;
  readonly store: boolean;
  /** Days after which submissions are deleted; null: never. */
  readonly retentionDays: number | null;
}
/** The mail that a form sends. */
export interface FormMail {
  readonly to: readonly string[];
  /** `{{field}}` stands for a value. */
  readonly subject: string;
  /** Name of the field with the address to reply to. */
  readonly replyTo: string | null;
}
