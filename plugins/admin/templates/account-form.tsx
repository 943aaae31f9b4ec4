import type { VNode } from "preact";
import { Frame, Mark, type FrameProps } from "./frame.js";

/** A field of a form. */
export interface AccountField {
  name: string;
  label: string;
  type: "text" | "email" | "password";
  autocomplete: string;
  value?: string;
  hint?: string;
  /** True for the field that is to be filled in first. */
  isFocused?: boolean;
}
/** Content of a page before login: a heading, a text, and a form unless there is nothing to enter. */
export interface AccountFormProps {
  frame: FrameProps;
  heading: string;
  text: string;
  error: string | null;
  form: { action: string; fields: readonly AccountField[]; button: string } | null;
  link: { href: string; label: string } | null;
}

/** A page for people who are not signed in: accepting an invitation, resetting a password. */
export function AccountForm({ frame, heading, text, error, form, link }: AccountFormProps): VNode {
  return (
    <Frame {...frame}>
      <section class="login">
        <Mark />
        <h1>{heading}</h1>
        <p class="dim">{text}</p>
        {error !== null && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        {form !== null && (
          <form method="post" action={form.action}>
            {form.fields.map((field) => (
              <Field {...field} />
            ))}
            <button type="submit">{form.button}</button>
          </form>
        )}
        {link !== null && (
          <p class="beside">
            <a href={link.href}>{link.label}</a>
          </p>
        )}
      </section>
    </Frame>
  );
}

function Field({ name, label, type, hint, isFocused = false, ...rest }: AccountField): VNode {
  const describedBy = hint === undefined ? undefined : `${name}-hint`;
  const shared = {
    id: name,
    name,
    autofocus: isFocused,
    "aria-describedby": describedBy,
    ...rest,
  };
  return (
    <>
      <label for={name}>{label}</label>
      {type === "password" && <input type="password" {...shared} required />}
      {type === "email" && <input type="email" {...shared} required />}
      {type === "text" && <input type="text" {...shared} required />}
      {hint !== undefined && (
        <p class="dim hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
}
