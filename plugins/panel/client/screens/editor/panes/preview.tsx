import type { Signal } from "@preact/signals";
import { Monitor, Smartphone, Tablet } from "lucide";
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t as app } from "../../../app/texts.js";
import { Failure } from "../../../parts/loading.js";
import { Icon } from "../../../parts/icon.js";
import { t } from "../editor-texts.js";
import { splitFile } from "../front-matter/edited-text.js";
import type { EditSession } from "../saving/edit-session.js";
import { call } from "../../../api/request.js";
import { showPreview } from "../../../api/preview.js";

const WAIT_MS = 400;
const FRAME = "panel-preview";
const WIDTHS = [
  { label: "preview.phone", icon: Smartphone, pixels: 390 },
  { label: "preview.tablet", icon: Tablet, pixels: 768 },
  { label: "preview.desktop", icon: Monitor, pixels: 1_280 },
] as const;

interface PreviewProps {
  session: EditSession;
  /** Line of the cursor in the text, from 1. */
  line: Signal<number>;
}

/** The unsaved text in the site's theme, at three widths; it follows the cursor. */
export default function Preview({ session, line }: PreviewProps): VNode {
  const [width, setWidth] = useState<number>(390);
  const [error, setError] = useState<unknown>(null);
  const [isWaiting, setWaiting] = useState(true);
  const frame = useRef<HTMLIFrameElement>(null);
  const follow = (): void => scrollTo(frame.current, line.peek() + linesBefore(session));
  useEffect(
    () => showPreview(FRAME, { path: session.path, content: session.text.text }),
    [session],
  );
  const onHtml = (html: string): void => {
    setError(null);
    if (frame.current !== null) showHtml(frame.current, html);
    follow();
  };
  useUpdates(session, onHtml, setError);
  useEffect(follow, [line.value]);
  return (
    <div class="preview">
      <div class="row" role="group" aria-label={t("preview.width")}>
        {WIDTHS.map(({ label, icon, pixels }) => (
          <button
            key={label}
            type="button"
            class="icon"
            aria-label={t(label)}
            aria-pressed={width === pixels}
            onClick={() => setWidth(pixels)}
          >
            <Icon of={icon} />
          </button>
        ))}
      </div>
      {error !== null && <Failure error={error} />}
      {isWaiting && error === null && (
        <p class="waiting" role="status">
          {app("loading")}
        </p>
      )}
      <Frame
        width={width}
        frame={frame}
        onLoad={() => {
          // The empty frame loads first.
          if (frame.current?.contentDocument?.URL !== "about:blank") setWaiting(false);
          follow();
        }}
      />
    </div>
  );
}

interface FrameProps {
  /** Pixels of the device. */
  width: number;
  frame: { current: HTMLIFrameElement | null };
  onLoad(): void;
}

/** The frame is as wide as the device, and scaled down to the pane. */
function Frame({ width, frame, onLoad }: FrameProps): VNode {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const fit = (): void => {
      const scale = Math.min(1, element.clientWidth / width);
      element.style.setProperty("--scale", String(scale));
    };
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    return () => observer.disconnect();
  }, [width]);
  return (
    <div class="preview-box" ref={box}>
      <iframe
        ref={frame}
        name={FRAME}
        title={t("tab.preview")}
        sandbox="allow-same-origin"
        width={width}
        onLoad={onLoad}
      />
    </div>
  );
}

/** Renders again when typing pauses. */
function useUpdates(
  session: EditSession,
  onHtml: (html: string) => void,
  onError: (error: unknown) => void,
): void {
  const revision = session.text.revision.value;
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return undefined;
    }
    let isCurrent = true;
    const timer = setTimeout(() => {
      call("POST /preview", { body: { path: session.path, content: session.text.text } })
        .then(({ html }) => html)
        .then(
          (html) => isCurrent && onHtml(html),
          (error: unknown) => isCurrent && onError(error),
        );
    }, WAIT_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [revision, session]);
}

/** Replaces what differs, without loading the frame: no flicker, and its scroll position stays. */
function showHtml(frame: HTMLIFrameElement, html: string): void {
  const shown = frame.contentDocument;
  if (shown === null) return;
  const next = new DOMParser().parseFromString(html, "text/html");
  for (const script of next.querySelectorAll("script")) script.remove();
  const [before, after] = [shown.querySelector("main"), next.querySelector("main")];
  if (before !== null && after !== null) before.replaceChildren(...after.childNodes);
  else shown.body.replaceChildren(...next.body.childNodes);
  shown.title = next.title;
}

/** Scrolls to the block that begins at the line, or the last one before it. */
function scrollTo(frame: HTMLIFrameElement | null, line: number): void {
  const blocks = frame?.contentDocument?.querySelectorAll<HTMLElement>("[data-line]") ?? [];
  let element: HTMLElement | null = null;
  for (const block of blocks) if (Number(block.dataset["line"]) <= line) element = block;
  element?.scrollIntoView({ block: "center" });
}

/** Lines of the file above the body. */
function linesBefore(session: EditSession): number {
  const { open, yaml, close } = splitFile(session.text.text);
  return `${open}${yaml}${close}`.split("\n").length - 1;
}
