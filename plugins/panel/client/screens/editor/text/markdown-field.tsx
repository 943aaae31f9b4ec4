/** A Markdown field of a form: the text editor of pages, without what needs a page. */
import type { EditorView } from "@codemirror/view";
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useContext, useLayoutEffect, useRef } from "preact/hooks";
import { siteHref } from "../../../boot.js";
import { FieldScope, type ControlProps } from "../../../parts/fields/field-props.js";
import { lazyDialog } from "../../../parts/loading.js";
import { t } from "../editor-texts.js";
import Toolbar from "../toolbar/toolbar.js";
import { mediaAddresses } from "./live-markdown.js";
import { createTextEditor, type TextEditor } from "./text-editor.js";

const LinkPicker = lazyDialog(() => import("../toolbar/link-picker.js"));

/** The control. An empty text is no value. */
export default function MarkdownField(props: ControlProps): VNode {
  const { field, value, id, describedBy, error, isEditable } = props;
  const { pagePath } = useContext(FieldScope);
  const text = typeof value === "string" ? value : "";
  const parent = useRef<HTMLDivElement>(null);
  const editor = useRef<TextEditor | null>(null);
  const isLinking = useSignal(false);
  const latest = useRef(props);
  latest.current = props;
  const view = (): EditorView | null => editor.current?.view ?? null;
  const onLink = (): void => void (isLinking.value = true);
  useLayoutEffect(() => {
    if (parent.current === null) return;
    // The files of the page that was open before are not those of a record.
    if (pagePath === null) mediaAddresses.use([], "");
    const tools = import("./text-tools.js");
    const created = createTextEditor({
      tools,
      parent: parent.current,
      body: text,
      attributes: {
        id,
        "aria-label": field.label,
        "aria-description": t("body.keys"),
        ...(field.required && { "aria-required": "true" }),
      },
      placeholder: "",
      isEditable,
      onChange: () => {
        const next = created.read();
        latest.current.onChange(next === "" ? undefined : next);
      },
      onLine: () => undefined,
      onSelect: () => undefined,
      onFiles: () => undefined,
      onLink,
      onImage: null,
      imageSource: (target) =>
        pagePath === null && !target.startsWith("/") ? null : mediaAddresses.find(target),
    });
    editor.current = created;
    void tools.then(
      ({ addTextTools }) => {
        if (editor.current !== created) return;
        addTextTools(created.view, { onLink, route: () => siteHref("/"), path: () => null });
      },
      // Without a connection, the text is edited without them.
      () => undefined,
    );
    return () => {
      editor.current = null;
      created.destroy();
    };
  }, [isEditable, pagePath]);
  // A value that comes from elsewhere, such as the file on the server.
  useLayoutEffect(() => {
    if (editor.current !== null && editor.current.read() !== text) editor.current.replace(text);
  }, [text]);
  useLayoutEffect(() => {
    const content = view()?.contentDOM;
    if (content === undefined) return;
    content.setAttribute("aria-invalid", String(error !== null));
    if (describedBy === undefined) content.removeAttribute("aria-describedby");
    else content.setAttribute("aria-describedby", describedBy);
  });
  return (
    <div class="markdown-field">
      {isEditable && <Toolbar view={view} onLink={onLink} onImage={null} path={() => null} />}
      <div ref={parent} class="text-editor" />
      {isLinking.value && <LinkPicker view={view} onClose={() => (isLinking.value = false)} />}
    </div>
  );
}
