import type { VNode } from "preact";
import { toSentence } from "#lib/text";
import { t } from "../app/texts.js";
import { Dialog } from "./dialog.js";

/** One of many things that a change left as it was. */
export interface Failed {
  /** Identifies it in the list. */
  readonly key: string;
  readonly label: string;
  /** Address of its screen; absent: none. */
  readonly href?: string;
  /** The reason of the server. */
  readonly reason: string;
}

interface FailuresProps {
  title: string;
  of: readonly Failed[];
  onClose(): void;
}

/** Lists what a change of many things left as it was, each with its reason. */
export function Failures({ title, of, onClose }: FailuresProps): VNode {
  return (
    <Dialog title={title} onClose={onClose}>
      <ul class="failures">
        {of.map(({ key, label, href, reason }) => (
          <li key={key}>
            {href === undefined ? (
              <strong>{label}</strong>
            ) : (
              <a href={href} data-screen>
                {label}
              </a>
            )}
            <span>{toSentence(reason)}</span>
          </li>
        ))}
      </ul>
      <div class="actions">
        <button type="button" class="primary" onClick={onClose}>
          {t("close")}
        </button>
      </div>
    </Dialog>
  );
}
