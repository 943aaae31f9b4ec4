import { Copy } from "lucide";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "./icon.js";
import { t } from "./parts-texts.js";

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
        <span aria-live="polite">{isCopied ? t("copied") : t("copy")}</span>
      </button>
    </div>
  );
}
