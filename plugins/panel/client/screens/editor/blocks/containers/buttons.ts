/** Buttons: links that stand out, in a container. */
import { ArrowDown, ArrowUp, MousePointerClick } from "lucide";
import { insertBlock } from "../../toolbar/formatting.js";
import { linkAt, targetChange } from "../../text/link-source.js";
import type { EditorBlock } from "../block.js";
import { showValue, textField } from "../block-parts.js";
import { t } from "../block-texts.js";
import { listView, writeText } from "./container-list.js";
import { shownText } from "../picture-source.js";

/** Buttons. The text of the first one is selected. */
export const buttonsBlock: EditorBlock = {
  name: "buttons",
  entries: [
    {
      label: t("buttons"),
      hint: t("buttons.hint"),
      synonyms: "button cta call action link schaltfläche knopf",
      icon: MousePointerClick,
      group: "media",
      run: (view) => {
        const open = "::: buttons\n[";
        const text = t("buttons.text");
        insertBlock(view, `${open}${text}](/)\n:::`, open.length, text.length);
      },
    },
  ],
};

interface Button {
  readonly text: string;
  readonly address: string;
}

/** Containers that have only links with a text. */
export const buttonsView = listView<Button>({
  name: "buttons",
  node: "Link",
  className: "md-buttons",
  icons: { before: ArrowUp, after: ArrowDown },
  height: (count) => 60 + 46 * count,
  texts: {
    list: (n) => t("buttons.of", { n }),
    add: () => t("buttons.add"),
    before: (n) => t("buttons.before", { n }),
    after: (n) => t("buttons.after", { n }),
    remove: (n) => t("buttons.remove", { n }),
  },
  read({ from }, state) {
    const link = linkAt(state, from);
    if (link === null || link.text === null) return null;
    const text = shownText(state.sliceDoc(link.text.from, link.text.to), "]");
    return { text, address: link.address };
  },
  create(item, n, editing) {
    const link = () => {
      const node = editing?.find() ?? null;
      return editing === null || node === null ? null : linkAt(editing.view.state, node.from);
    };
    const text = textField(t("buttons.textOf", { n }), t("buttons.text"), (value) => {
      if (editing !== null) writeText(editing.view, link()?.text ?? null, value);
    });
    const target = textField(t("buttons.targetOf", { n }), t("buttons.target"), (value) => {
      const source = link();
      const changes = source === null ? null : targetChange(source, value.trim());
      if (changes !== null) editing?.view.dispatch({ changes, userEvent: "input.type" });
    });
    for (const input of [text, target]) input.readOnly = editing === null;
    item.append(text, target);
  },
  show(item, { text, address }) {
    const [words, target] = item.querySelectorAll("input");
    if (words !== undefined) showValue(words, text);
    if (target !== undefined) showValue(target, address);
  },
  add(view, { container, last }) {
    const from = last?.to ?? container.closing;
    const link = `[${t("buttons.text")}](/)`;
    const insert = last === null ? `${link}\n` : `\n${link}`;
    view.dispatch({ changes: { from, insert }, userEvent: "input.insert" });
    const shown = [...view.contentDOM.querySelectorAll<HTMLElement>(".md-buttons")];
    const list = shown.find((one) => {
      const at = view.posAtDOM(one);
      return at >= container.from && at <= container.to + insert.length;
    });
    const field = list?.querySelector<HTMLInputElement>("li:last-child input");
    field?.focus();
    field?.select();
  },
});
