import { Fragment, type VNode } from "preact";
import { t } from "../app/texts.js";
import { Dialog } from "../parts/dialog.js";

const SHORTCUTS = [
  ["Ctrl K", "help.palette"],
  ["?", "help.help"],
  ["Ctrl S", "help.save"],
  ["Ctrl B", "help.bold"],
  ["Ctrl I", "help.italic"],
  ["Ctrl Shift K", "help.link"],
  ["Ctrl Shift P", "help.preview"],
  ["Ctrl Enter", "help.publish"],
] as const;

interface HelpProps {
  onClose(): void;
}

/** The list of keyboard shortcuts. */
export default function Help({ onClose }: HelpProps): VNode {
  const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
  return (
    <Dialog title={t("help.title")} onClose={onClose}>
      <dl class="shortcuts">
        {SHORTCUTS.map(([keys, text]) => (
          <Fragment key={text}>
            <dt>
              <kbd>{isApple ? keys.replace("Ctrl", "⌘").replace("Shift", "⇧") : keys}</kbd>
            </dt>
            <dd>{t(text)}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}
