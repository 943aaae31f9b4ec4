import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "./failure.js";

/** A form that shows why it failed above its fields. */
export function SavingForm(props: {
  class?: string;
  /** For screen readers. */
  label?: string;
  children: ComponentChildren;
  /** A rejection is shown until the next success. */
  onSubmit(form: FormData, element: HTMLFormElement): Promise<void>;
}): VNode {
  const { class: name = "stack", label, children, onSubmit } = props;
  const [error, setError] = useState<unknown>(null);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    try {
      await onSubmit(new FormData(form), form);
      setError(null);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <form
      class={name}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      {error !== null && <Failure error={error} />}
      {children}
    </form>
  );
}
