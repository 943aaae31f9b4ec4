/** Galleries: pictures side by side, in a container. */
import type { SyntaxNode } from "@lezer/common";
import { ArrowLeft, ArrowRight, Images } from "lucide";
import { insertBlock } from "../../toolbar/formatting.js";
import { mediaAddresses } from "../../text/live-markdown.js";
import { blockActions, type EditorBlock } from "../block.js";
import { showValue, textField } from "../block-parts.js";
import { t } from "../block-texts.js";
import { listView, writeText } from "./container-list.js";
import type { TextRange } from "./container-source.js";
import { shownText } from "../picture-source.js";

/** Galleries. The dialog of pictures opens. */
export const galleryBlock: EditorBlock = {
  name: "gallery",
  entries: [
    {
      label: t("gallery"),
      hint: t("gallery.hint"),
      synonyms: "images photos pictures grid bilder fotos galerie",
      icon: Images,
      group: "media",
      needsImages: true,
      run: (view, { onImage }) => {
        const open = "::: gallery\n";
        insertBlock(view, `${open}\n:::`, open.length);
        onImage?.();
      },
    },
  ],
};

interface Picture {
  /** Null for a file that is not known. */
  readonly address: string | null;
  readonly alt: string;
}

/** Galleries that have only pictures. */
export const galleryView = listView<Picture>({
  name: "gallery",
  node: "Image",
  className: "md-gallery",
  icons: { before: ArrowLeft, after: ArrowRight },
  height: (count) => 60 + 190 * Math.ceil(count / 3),
  texts: {
    list: (n) => t("gallery.of", { n }),
    add: () => t("gallery.add"),
    before: (n) => t("gallery.before", { n }),
    after: (n) => t("gallery.after", { n }),
    remove: (n) => t("gallery.remove", { n }),
  },
  read(image, state) {
    const url = image.getChild("URL");
    const alt = altOf(image);
    return {
      address: url === null ? null : mediaAddresses.find(state.sliceDoc(url.from, url.to)),
      alt: alt === null ? "" : shownText(state.sliceDoc(alt.from, alt.to), "]"),
    };
  },
  create(item, n, editing) {
    const image = document.createElement("img");
    item.append(image);
    if (editing === null) return;
    const { view, find } = editing;
    image.addEventListener("load", () => view.requestMeasure());
    const alt = textField(t("gallery.alt", { n }), t("picture.alt.ask"), (value) => {
      const picture = find();
      if (picture !== null) writeText(view, altOf(picture), value);
    });
    item.append(alt);
  },
  show(item, { address, alt }) {
    const image = item.querySelector("img");
    if (image !== null) {
      image.alt = alt;
      if (address === null) image.removeAttribute("src");
      else if (image.getAttribute("src") !== address) image.src = address;
    }
    const input = item.querySelector("input");
    if (input !== null) showValue(input, alt);
    item.classList.toggle("is-undescribed", alt.trim() === "");
  },
  // The dialog writes at the cursor: behind the last picture, or on the empty line.
  add(view, { container, last }) {
    const { doc } = view.state;
    const head = doc.lineAt(container.from);
    const isBare = last === null && head.to + 1 === container.closing;
    view.dispatch({
      ...(isBare && { changes: { from: container.closing, insert: "\n" } }),
      selection: { anchor: last?.to ?? head.to + 1 },
    });
    view.state.facet(blockActions)?.onImage?.();
  },
});

function altOf(image: SyntaxNode): TextRange | null {
  const [open, close] = image.getChildren("LinkMark");
  return open === undefined || close === undefined ? null : { from: open.to, to: close.from };
}
