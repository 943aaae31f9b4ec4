/** The menu at the end of the toolbar: search and the options for writing. */
import type { EditorView } from "@codemirror/view";
import { Focus, Quote, Search } from "lucide";
import { openWithKeys } from "../../../parts/early-keys.js";
import { openMenu } from "../blocks/handle/menu.js";
import { t } from "../text/tool-texts.js";
import { writingOptions } from "../text/writing-options.js";

interface MenuPlace {
  readonly anchor: HTMLElement;
  /** Source path of the page; null for a text that belongs to none. */
  path(): string | null;
}

/** Opens the menu. */
export function openWritingMenu(view: EditorView, { anchor, path }: MenuPlace): void {
  const options = writingOptions(view, path);
  openMenu(anchor, {
    label: t("writing"),
    groups: [
      [
        {
          label: t("find"),
          icon: Search,
          keys: "Ctrl F",
          run: () =>
            void openWithKeys(
              () => import("../text/find-panel.js"),
              ({ openFindPanel }) => openFindPanel(view),
            ),
        },
      ],
      [
        // Focus mode hides the other fields of a form.
        ...(path() === null
          ? []
          : [
              {
                label: t("focus"),
                icon: Focus,
                keys: "Ctrl ⇧ F",
                isChecked: options.hasFocusMode(),
                run: options.toggleFocusMode,
              },
            ]),
        {
          label: t("quotes"),
          icon: Quote,
          isChecked: options.hasQuotes(),
          run: options.toggleQuotes,
        },
      ],
    ],
    onClose: () => anchor.focus(),
  });
}
