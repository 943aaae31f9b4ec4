import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../../app/texts.js";
import de from "../../locales/de/media.json";
import en from "../../locales/en/media.json";
import { CENTRE, cropPosition, within, type Pair } from "./crop.js";
import { picture } from "../../api/media.js";
import type { LibraryItem } from "../../api/answers.js";

const t = texts({ en, de });

const STEPS: Readonly<Record<string, Pair>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};
const CROPS = [
  { name: "1:1", ratio: 1 },
  { name: "16:9", ratio: 16 / 9 },
  { name: "4:5", ratio: 4 / 5 },
] as const;

/** A click or the arrow keys set the focal point, which stays visible when a picture is cropped. */
interface FocalPointProps {
  item: LibraryItem;
  focal: Pair;
  isEditable: boolean;
  onChange(focal: Pair): void;
}

/** The picture with its focal point, and the crops that follow from it. */
export function FocalPoint(props: FocalPointProps): VNode {
  const { item, focal, isEditable, onChange } = props;
  const [size, setSize] = useState({ width: 1, height: 1 });
  const [reason, setReason] = useState("");
  if (reason !== "") return <p class="notice bad">{reason}</p>;
  return (
    <div class="stack-small">
      <div class="focal">
        <img
          {...picture(item, "(max-width: 52rem) 90vw, 34rem")}
          alt={t("preview", { name: item.name })}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
            if (width > 0 && height > 0) setSize({ width, height });
          }}
          onError={({ currentTarget: { currentSrc } }) => {
            void whyBroken(currentSrc).then(setReason);
          }}
          onClick={(event) => isEditable && onChange(pointOf(event))}
        />
        {isEditable && <Handle {...props} />}
      </div>
      {isEditable && (
        <div class="row">
          <span class="help grow" id="focal-help">
            {t("focal.why")}
          </span>
          <button type="button" onClick={() => onChange(CENTRE)}>
            {t("focal.centre")}
          </button>
        </div>
      )}
      <ul class="crops" aria-label={t("crops")}>
        {CROPS.map(({ name, ratio }) => (
          <li key={name}>
            <Crop item={item} ratio={ratio} at={cropPosition(size, ratio, focal)} />
            <small class="dim">{name}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Handle({ focal, onChange }: FocalPointProps): VNode {
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const by = event.shiftKey ? 10 : 1;
    onChange({ x: within(focal.x + step.x * by, 100), y: within(focal.y + step.y * by, 100) });
  };
  return (
    <>
      <button
        type="button"
        class="focal-handle"
        aria-label={t("focal")}
        aria-describedby="focal-at focal-help"
        style={{ left: `${focal.x}%`, top: `${focal.y}%` }}
        onKeyDown={onKeyDown}
      />
      <output id="focal-at" class="visually-hidden">
        {t("focal.at", { x: Math.round(focal.x), y: Math.round(focal.y) })}
      </output>
    </>
  );
}

interface CropProps {
  item: LibraryItem;
  /** Width by height. */
  ratio: number;
  /** From 0 to 1, see `cropPosition`. */
  at: Pair;
}

function Crop({ item, ratio, at }: CropProps): VNode {
  return (
    <img
      {...picture(item, "11rem")}
      alt=""
      style={{
        aspectRatio: String(ratio),
        objectPosition: `${(at.x * 100).toFixed(2)}% ${(at.y * 100).toFixed(2)}%`,
      }}
    />
  );
}

/** Asks the server why a picture cannot be shown. */
async function whyBroken(address: string): Promise<string> {
  try {
    const answer = await fetch(address, { headers: { accept: "application/json" } });
    const { error }: { error?: string } = answer.ok ? {} : await answer.json();
    return error ?? t("broken");
  } catch {
    return t("broken");
  }
}

function pointOf({ currentTarget, clientX, clientY }: MouseEvent): Pair {
  if (!(currentTarget instanceof Element)) return CENTRE;
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  // A picture that is not loaded has no places.
  if (width === 0 || height === 0) return CENTRE;
  const [x, y] = [((clientX - left) / width) * 100, ((clientY - top) / height) * 100];
  return { x: within(Math.round(x * 10) / 10, 100), y: within(Math.round(y * 10) / 10, 100) };
}
