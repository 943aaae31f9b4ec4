import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { Dialog } from "../../../parts/dialog.js";
import { FormDialog } from "../../../parts/forms.js";
import { fullMoment } from "../../../parts/moment.js";
import { t } from "../editor-texts.js";
import type { EditSession } from "../saving/edit-session.js";
import { call } from "../../../api/request.js";

const DAY_SECONDS = 86_400;

/** The working copy, the site at a time, or the site at a commit. */
const SHOWS = ["page", "at", "rev"] as const;
type Shows = (typeof SHOWS)[number];

interface PreviewLinkProps {
  session: EditSession;
  onClose(): void;
}

/** Creates an address that shows the working copy, or the site at a moment, to people without an account. */
export default function PreviewLink({ session, onClose }: PreviewLinkProps): VNode {
  const [link, setLink] = useState<Link | null>(null);
  const [shows, setShows] = useState<Shows>("page");
  const isCreated = useRef(false);
  if (link !== null) return <Created link={link} onClose={onClose} />;
  return (
    <FormDialog
      title={t("preview.link")}
      action={t("preview.create")}
      onClose={() => {
        if (!isCreated.current) onClose();
      }}
      onSubmit={async (form) => {
        await session.flush();
        const created = await call("POST /preview-links", {
          body: {
            path: session.path,
            expiresIn: Number(form.get("days")) * DAY_SECONDS,
            ...readMoment(shows, form),
          },
        });
        isCreated.current = true;
        setLink(created);
      }}
    >
      <ShownThing shows={shows} onChoose={setShows} />
      <label>
        {t("preview.days")}
        <select name="days">
          {[1, 7, 30].map((days) => (
            <option key={days} value={days} selected={days === 7}>
              {t("preview.n", { n: days })}
            </option>
          ))}
        </select>
      </label>
    </FormDialog>
  );
}

interface Link {
  readonly url: string;
  /** Unix ms. */
  readonly expiresAt: number;
}

interface CreatedProps {
  link: Link;
  onClose(): void;
}

/** The address, which is shown only now. */
function Created({ link, onClose }: CreatedProps): VNode {
  return (
    <Dialog title={t("preview.link")} onClose={onClose}>
      <label>
        {t("preview.address", { time: fullMoment(link.expiresAt) })}
        <input readOnly value={link.url} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <div class="actions">
        <a class="button" href={link.url} target="_blank" rel="noreferrer">
          {t("preview.open")}
        </a>
        <button
          type="button"
          class="primary"
          onClick={() => void navigator.clipboard.writeText(link.url).then(onClose)}
        >
          {t("preview.copy")}
        </button>
      </div>
    </Dialog>
  );
}

interface ShownThingProps {
  shows: Shows;
  onChoose(next: Shows): void;
}

/** Asks what the address shows, and for the moment that this needs. */
function ShownThing({ shows, onChoose }: ShownThingProps): VNode {
  return (
    <>
      <label>
        {t("preview.shows")}
        <select
          value={shows}
          onChange={({ currentTarget: { value } }) =>
            onChoose(SHOWS.find((one) => one === value) ?? "page")
          }
        >
          {SHOWS.map((one) => (
            <option key={one} value={one}>
              {t(`preview.shows.${one}`)}
            </option>
          ))}
        </select>
        <span class="help">{t(`preview.why.${shows}`)}</span>
      </label>
      {shows === "at" && (
        <label>
          {t("preview.at")}
          <input type="datetime-local" name="at" required />
        </label>
      )}
      {shows === "rev" && (
        <label>
          {t("preview.rev")}
          <input
            name="rev"
            required
            minLength={7}
            maxLength={64}
            autocomplete="off"
            spellcheck={false}
          />
          <span class="help">{t("preview.rev.help")}</span>
        </label>
      )}
    </>
  );
}

/** A time of the form is in the person's time zone. */
function readMoment(shows: Shows, form: FormData): { at?: string; rev?: string } {
  if (shows === "at") return { at: new Date(String(form.get("at"))).toISOString() };
  return shows === "rev" ? { rev: String(form.get("rev")).trim() } : {};
}
