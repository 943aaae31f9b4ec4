import type { Signal } from "@preact/signals";
import { Monitor, Smartphone, Tablet } from "lucide";
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { createPreview } from "../../api/preview.js";
import { Failure } from "../../parts/failure.js";
import { Icon } from "../../parts/icon.js";
import type { EditSession } from "./edit-session.js";
import { t } from "./editor-texts.js";
import { splitFile } from "./text-file.js";

const WAIT_MS = 500;
const WIDTHS = [
  ["preview.phone", Smartphone, 390],
  ["preview.tablet", Tablet, 768],
  ["preview.desktop", Monitor, 1_280],
] as const;

/** The unsaved text in the site's theme, at three widths; it follows the cursor. */
export default function Preview(props: { session: EditSession; line: Signal<number> }): VNode {
  const { session, line } = props;
  const [width, setWidth] = useState<number>(390);
  const { address, error } = usePreview(session);
  const frame = useRef<HTMLIFrameElement>(null);
  const offset = linesBefore(session);
  const follow = (): void => scrollTo(frame.current, line.value + offset);
  useEffect(follow, [line.value]);
  return (
    <div class="preview">
      <div class="row" role="group" aria-label={t("preview.width")}>
        {WIDTHS.map(([label, icon, pixels]) => (
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
      <Frame address={address} width={width} frame={frame} onLoad={follow} />
    </div>
  );
}

/** Shows the new page only when it is loaded, so that typing does not flicker. */
function Frame(props: {
  address: string;
  width: number;
  frame: { current: HTMLIFrameElement | null };
  onLoad(): void;
}): VNode {
  const { address, width, frame, onLoad } = props;
  const [shown, setShown] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const scale = Math.min(1, (box.current?.clientWidth ?? width) / width);
  const pages = address === shown || address === "" ? [shown] : [shown, address];
  return (
    <div class="preview-box" ref={box}>
      {pages
        .filter((page) => page !== "")
        .map((page) => (
          <iframe
            key={page}
            ref={(element) => {
              if (page === shown && element !== null) frame.current = element;
            }}
            src={page}
            title={t("tab.preview")}
            sandbox="allow-same-origin"
            class={page === shown ? "" : "is-loading"}
            width={width}
            onLoad={(event) => {
              frame.current = event.currentTarget;
              setShown(page);
              event.currentTarget.style.setProperty("--scale", String(scale));
              onLoad();
            }}
          />
        ))}
    </div>
  );
}

function usePreview(session: EditSession): { address: string; error: unknown } {
  const [state, setState] = useState<{ address: string; error: unknown }>({
    address: "",
    error: null,
  });
  const revision = session.text.revision.value;
  const isFirst = state.address === "" && state.error === null;
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(
      () => {
        createPreview(session.path, session.text.text).then(
          (address) => isCurrent && setState({ address, error: null }),
          (error: unknown) => isCurrent && setState((before) => ({ ...before, error })),
        );
      },
      isFirst ? 0 : WAIT_MS,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [revision, session]);
  return state;
}

/** Scrolls to the block that begins at the line, or the last one before it. */
function scrollTo(frame: HTMLIFrameElement | null, line: number): void {
  const blocks = frame?.contentDocument?.querySelectorAll<HTMLElement>("[data-line]") ?? [];
  let found: HTMLElement | null = null;
  for (const block of blocks) if (Number(block.dataset["line"]) <= line) found = block;
  found?.scrollIntoView({ block: "center" });
}

/** Lines of the file above the body. */
function linesBefore(session: EditSession): number {
  const { open, yaml, close } = splitFile(session.text.text);
  return `${open}${yaml}${close}`.split("\n").length - 1;
}
