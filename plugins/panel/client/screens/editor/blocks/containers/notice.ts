/** Notices: GitHub alerts (`> [!NOTE]`), containers such as `::: tip Title`, and parts that open. */
import { Decoration, WidgetType, type EditorView } from "@codemirror/view";
import {
  ChevronRight,
  CircleAlert,
  CircleCheck,
  FileText,
  Info,
  Lightbulb,
  OctagonAlert,
  OctagonX,
  TriangleAlert,
  type IconNode,
} from "lucide";
import { insertBlock } from "../../toolbar/formatting.js";
import { isTouched, type EditorBlock, type SlashEntry } from "../block.js";
import { blockKeys, goTo, iconButton, iconElement, showValue, textField } from "../block-parts.js";
import { t } from "../block-texts.js";
import {
  kindChange,
  readHead,
  titleChange,
  type BoxHead,
  type TextRange,
} from "./container-source.js";
import { drawLines, hideClosing, type ContainerView, type Drawing } from "./container-view.js";

const ALERTS = ["note", "tip", "important", "warning", "caution"] as const;
const CONTAINERS = [
  "note",
  "tip",
  "info",
  "success",
  "important",
  "warning",
  "caution",
  "danger",
  "details",
] as const;
type Kind = (typeof CONTAINERS)[number];

const ICONS: Readonly<Record<Kind, IconNode>> = {
  note: Info,
  tip: Lightbulb,
  info: Info,
  success: CircleCheck,
  important: CircleAlert,
  warning: TriangleAlert,
  caution: OctagonAlert,
  danger: OctagonX,
  details: ChevronRight,
};

function isKind(name: string): name is Kind {
  return Object.hasOwn(ICONS, name);
}

function alert(name: (typeof ALERTS)[number], synonyms: string): SlashEntry {
  return {
    label: t(name),
    hint: t(`${name}.hint`),
    synonyms: `alert callout box hinweis kasten ${synonyms}`,
    icon: ICONS[name],
    group: "layout",
    run: (view) => insertBlock(view, `> [!${name.toUpperCase()}]\n> `),
  };
}

/** Alerts. */
export const noticeBlock: EditorBlock = {
  name: "notice",
  entries: [
    alert("note", "info information notiz"),
    alert("tip", "advice tipp idee"),
    alert("important", "wichtig"),
    alert("warning", "warnung achtung"),
    alert("caution", "danger vorsicht gefahr"),
  ],
};

/** Parts that open. */
export const detailsBlock: EditorBlock = {
  name: "details",
  entries: [
    {
      label: t("details"),
      hint: t("details.hint"),
      synonyms: "toggle collapse accordion spoiler faq aufklappen klappen",
      icon: ICONS.details,
      group: "layout",
      run: (view) => {
        const title = t("details.title");
        const open = "::: details ";
        insertBlock(view, `${open}${title}\n\n:::`, open.length, title.length);
      },
    },
  ],
};

/** The first line of a notice as its kind and its title, while the cursor is elsewhere. */
class NoticeWidget extends WidgetType {
  readonly head: BoxHead & { readonly name: Kind };
  readonly isReadOnly: boolean;

  constructor(head: NoticeWidget["head"], isReadOnly: boolean) {
    super();
    this.head = head;
    this.isReadOnly = isReadOnly;
  }

  override eq(other: NoticeWidget): boolean {
    return (
      other.head.name === this.head.name &&
      other.head.title === this.head.title &&
      other.head.isAlert === this.head.isAlert &&
      other.isReadOnly === this.isReadOnly
    );
  }

  toDOM(view: EditorView): HTMLElement {
    const dom = document.createElement("span");
    dom.className = "md-box-head";
    dom.contentEditable = "false";
    const line = () => view.state.doc.lineAt(view.posAtDOM(dom));
    const kind = document.createElement("select");
    kind.setAttribute("aria-label", t("notice.kind"));
    kind.disabled = this.isReadOnly;
    const kinds = this.head.isAlert ? ALERTS : CONTAINERS;
    kind.append(...kinds.map((name) => new Option(t(name), name)));
    kind.addEventListener("change", () => {
      const changes = kindChange(line(), kind.value);
      if (changes !== null) view.dispatch({ changes, userEvent: "input.format" });
    });
    const icon = document.createElement("span");
    icon.className = "md-box-icon";
    dom.append(icon, kind);
    if (!this.head.isAlert) {
      const title = textField(t("notice.title"), "", (value) => {
        const changes = titleChange(line(), value);
        if (changes !== null) view.dispatch({ changes, userEvent: "input.type" });
      });
      title.readOnly = this.isReadOnly;
      dom.append(title);
    }
    if (!this.isReadOnly) {
      dom.append(iconButton(t("source"), FileText, () => goTo(view, line().to)));
    }
    blockKeys(view, dom, () => line().to);
    this.updateDOM(dom);
    return dom;
  }

  override updateDOM(dom: HTMLElement): boolean {
    const { name, title, isAlert } = this.head;
    const kind = dom.querySelector("select");
    const input = dom.querySelector("input");
    // An alert has no title: it is drawn again where it becomes a container.
    if (kind === null || (input === null) !== isAlert) return false;
    kind.value = name;
    dom.querySelector(".md-box-icon")?.replaceChildren(iconElement(ICONS[name], 18));
    if (input !== null) {
      showValue(input, title);
      input.placeholder = name === "details" ? t("details.title") : t(name);
    }
    return true;
  }
}

/** Draws the lines of a notice, with fields in the first one. */
export function drawNotice({ from, to }: TextRange, { state, decorations }: Drawing): void {
  const line = state.doc.lineAt(from);
  const head = readHead(line.text);
  if (head === null || !isKind(head.name)) return;
  drawLines({ from, to }, `md-box md-box-${head.name}`, { state, decorations });
  if (isTouched(state, line.from, line.to)) return;
  const widget = new NoticeWidget({ ...head, name: head.name }, state.readOnly);
  decorations.push(Decoration.replace({ widget }).range(line.from, line.to));
}

/** Notices that are containers. */
export const noticeView: ContainerView = {
  names: CONTAINERS,
  draw(container, drawing) {
    drawNotice(container, drawing);
    hideClosing(container, drawing);
  },
};
