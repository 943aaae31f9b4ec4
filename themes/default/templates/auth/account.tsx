import type { AccountTemplateProps } from "#theme";
import { formatDate } from "#theme";
import { AccountPasskeys } from "../../components/account-passkeys.js";

/** The page of a visitor's own account. */
export default function Account(props: AccountTemplateProps) {
  const { Layout, t, message } = props;
  return (
    <Layout {...props} kind="account">
      <div class="wrap narrow account">
        <h1>{t("account.title", "Your account")}</h1>
        {message !== null && (
          <p class="notice" role="status">
            {t(`account.${message}`, "Done.")}
          </p>
        )}
        <Profile {...props} />
        <Sessions {...props} />
        <AccountPasskeys {...props} />
        <Data {...props} />
        <Deletion {...props} />
      </div>
    </Layout>
  );
}

function Csrf({ csrf }: Pick<AccountTemplateProps, "csrf">) {
  return <input type="hidden" name="_csrf" value={csrf} />;
}

function Profile({ account, isStored, csrf, t, lang }: AccountTemplateProps) {
  return (
    <section aria-labelledby="account-profile">
      <h2 id="account-profile">{t("account.profile", "Profile")}</h2>
      <p>{account.email}</p>
      <p class="dim">
        {t("account.since", "Since {date}, by {ways}")
          .replace("{date}", () => formatDate(account.createdAt, lang))
          .replace("{ways}", () => account.providers.map((way) => wayOf(way, t)).join(", "))}
      </p>
      {isStored && (
        <form class="stack" method="post" action="/auth/account">
          <Csrf csrf={csrf} />
          <label for="account-name">{t("account.name", "Name")}</label>
          <input id="account-name" name="name" autocomplete="name" value={account.name ?? ""} />
          <button type="submit" class="button">
            {t("account.save", "Save")}
          </button>
        </form>
      )}
      <p>
        <a href="/auth/logout">{t("login.out", "Log out")}</a>
      </p>
    </section>
  );
}

function wayOf(way: string, t: AccountTemplateProps["t"]): string {
  return way === "magic" ? t("account.magic", "email link") : way;
}

function Sessions({ sessions, csrf, t, lang }: AccountTemplateProps) {
  return (
    <section aria-labelledby="account-sessions">
      <h2 id="account-sessions">{t("account.sessions", "Where you are logged in")}</h2>
      <ul class="account-list">
        {sessions.map(({ id, device, seen, isCurrent }) => (
          <li key={id}>
            <span>
              {device}{" "}
              <span class="dim">
                {isCurrent ? t("account.current", "(this device)") : formatDate(seen, lang)}
              </span>
            </span>
            {!isCurrent && (
              <form method="post" action="/auth/account/sessions">
                <Csrf csrf={csrf} />
                <input type="hidden" name="id" value={id} />
                <button
                  type="submit"
                  class="button"
                  aria-label={`${t("account.end", "End")}: ${device}`}
                >
                  {t("account.end", "End")}
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Data({ t }: AccountTemplateProps) {
  return (
    <section aria-labelledby="account-data">
      <h2 id="account-data">{t("account.data", "Your data")}</h2>
      <p>{t("account.data_text", "Everything that this site stores about you, as a JSON file.")}</p>
      <p>
        <a class="button" href="/auth/account/data" download="my-data.json">
          {t("account.download", "Download your data")}
        </a>
      </p>
    </section>
  );
}

function Deletion({ fates, isFresh, csrf, t }: AccountTemplateProps) {
  const deleted = fates.flatMap((fate) => fate.deleted ?? []);
  const kept = fates.flatMap((fate) => fate.kept ?? []);
  return (
    <section aria-labelledby="account-delete">
      <h2 id="account-delete">{t("account.delete", "Delete the account")}</h2>
      <Fates label={t("account.deleted", "Deleted for good:")} items={deleted} t={t} />
      <Fates label={t("account.kept", "Kept:")} items={kept} t={t} />
      {isFresh ? (
        <form method="post" action="/auth/account/delete">
          <Csrf csrf={csrf} />
          <button type="submit" class="button danger">
            {t("account.delete_now", "Delete the account for good")}
          </button>
        </form>
      ) : (
        <form method="post" action="/auth/account/again">
          <Csrf csrf={csrf} />
          <p>{t("account.again_text", "To delete the account, log in again first.")}</p>
          <button type="submit" class="button">
            {t("account.again", "Log in again")}
          </button>
        </form>
      )}
    </section>
  );
}

function Fates(props: Pick<AccountTemplateProps, "t"> & { label: string; items: string[] }) {
  const { label, items, t } = props;
  if (items.length === 0) return null;
  return (
    <>
      <p>{label}</p>
      <ul>
        {items.map((item) => (
          <li key={item}>{t(`account.fate.${item}`, item)}</li>
        ))}
      </ul>
    </>
  );
}
