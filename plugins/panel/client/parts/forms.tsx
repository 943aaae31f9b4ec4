import { Copy } from "lucide";
import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { t } from "../app/texts.js";
import { Dialog } from "./dialog.js";
import { Icon } from "./icon.js";
import { Failure } from "./loading.js";
import { t as partText } from "./parts-texts.js";

/** A dialog with a form. */
interface FormDialogProps {
  title: string;
  /** Text of the button that submits. */
  action: string;
  /** True for actions that remove something. */
  danger?: boolean;
  children?: ComponentChildren;
  onClose(): void;
  /** Closes the dialog when it succeeds; a failure is shown inside. */
  onSubmit(form: FormData): Promise<void>;
}

/** Asks for a few values, or for confirmation. */
export function FormDialog(props: FormDialogProps): VNode {
  const { title, action, danger = false, children, onClose, onSubmit } = props;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    setBusy(true);
    try {
      await onSubmit(new FormData(form));
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        {error !== null && <Failure error={error} />}
        {children}
        <div class="actions">
          <button type="button" onClick={onClose}>
            {t("cancel")}
          </button>
          <button type="submit" class={danger ? "danger" : "primary"} disabled={isBusy}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface SavingFormProps {
  class?: string;
  /** Screen readers announce it. */
  label?: string;
  children: ComponentChildren;
  /** A rejection is shown until the next success. */
  onSubmit(form: FormData, element: HTMLFormElement): Promise<void>;
}

/** A form that shows why it failed above its fields. */
export function SavingForm({
  class: name = "stack",
  label,
  children,
  onSubmit,
}: SavingFormProps): VNode {
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

interface SecretTextProps {
  label: string;
  text: string;
}

/** A text that is shown once, with a button that copies it. */
export function SecretText({ label, text }: SecretTextProps): VNode {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div class="row">
      <input
        class="grow code"
        aria-label={label}
        readOnly
        value={text}
        onFocus={(event) => event.currentTarget.select()}
      />
      <button type="button" onClick={() => void copy().catch(() => setCopied(false))}>
        <Icon of={Copy} />
        <span aria-live="polite">{isCopied ? partText("copied") : partText("copy")}</span>
      </button>
    </div>
  );
}
