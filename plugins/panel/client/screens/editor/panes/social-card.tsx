import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { texts } from "../../../app/texts.js";
import de from "../../../locales/de/cards.json";
import en from "../../../locales/en/cards.json";
import { Failure } from "../../../parts/loading.js";
import type { EditSession } from "../saving/edit-session.js";
import { call } from "../../../api/request.js";

const t = texts({ en, de });

const WAIT_MS = 600;

interface Card {
  readonly title: string;
  readonly description: string;
  readonly image: string | null;
  readonly alt: string;
}

interface SocialCardProps {
  session: EditSession;
}

/** Shows a link to the page as other sites do, by the metadata that the theme writes for the unsaved text. */
export default function SocialCard({ session }: SocialCardProps): VNode | null {
  const revision = session.text.revision.value;
  const [card, setCard] = useState<Card | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    let isCurrent = true;
    const load = (): void =>
      void call("POST /preview", { body: { path: session.path, content: session.text.text } })
        .then(({ html }) => html)
        .then(
          (html) => {
            if (isCurrent) setCard(toCard(html));
            if (isCurrent) setError(null);
          },
          (failure: unknown) => isCurrent && setError(failure),
        );
    const timer = setTimeout(load, card === null ? 0 : WAIT_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [revision, session]);
  if (error !== null) return <Failure error={error} />;
  if (card === null) return null;
  const { title, description, image, alt } = card;
  return (
    <div class="social-card">
      {image === null ? <p class="help">{t("noImage")}</p> : <img src={image} alt={alt} />}
      <small class="dim">{location.host}</small>
      <strong>{title}</strong>
      {description !== "" && <span class="dim">{description}</span>}
    </div>
  );
}

function toCard(html: string): Card {
  const page = new DOMParser().parseFromString(html, "text/html");
  const meta = (name: string): string =>
    page.querySelector<HTMLMetaElement>(`meta[property="${name}"], meta[name="${name}"]`)
      ?.content ?? "";
  const image = meta("og:image");
  return {
    title: meta("og:title") || page.title,
    description: meta("og:description") || meta("description"),
    image: image === "" ? null : own(image),
    alt: meta("og:image:alt"),
  };
}

/** The panel loads pictures from its own address only, the site's may be another. */
function own(address: string): string | null {
  if (!URL.canParse(address, location.href)) return null;
  const { pathname, search } = new URL(address, location.href);
  return pathname + search;
}
