import { type AccountTemplateProps, formatDate } from "#theme";

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
          .replace("{ways}", () =>
            account.providers
              .map((way) => (way === "magic" ? t("account.magic", "email link") : way))
              .join(", "),
          )}
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
  const retained = fates.flatMap((fate) => fate.kept ?? []);
  return (
    <section aria-labelledby="account-delete">
      <h2 id="account-delete">{t("account.delete", "Delete the account")}</h2>
      <Fates label={t("account.deleted", "Deleted for good:")} items={deleted} t={t} />
      <Fates label={t("account.kept", "Kept:")} items={retained} t={t} />
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

/** The passkeys of the own account. */
function AccountPasskeys(props: AccountTemplateProps) {
  const { passkeys, t } = props;
  if (passkeys === null) return null;
  return (
    <section aria-labelledby="account-passkeys">
      <h2 id="account-passkeys">{t("account.passkeys", "Passkeys")}</h2>
      <p>
        {t(
          "account.passkeys_text",
          "Log in with the fingerprint, face or PIN of your device, or with a security key.",
        )}
      </p>
      <ul class="account-list">
        {passkeys.items.map((item) => (
          <Passkey {...props} key={item.id} item={item} />
        ))}
      </ul>
      {passkeys.obstacle === null ? <More {...props} /> : <Obstacle {...props} />}
    </section>
  );
}

function Obstacle({ passkeys, t }: AccountTemplateProps) {
  return (
    <p class="notice">
      {passkeys?.obstacle === "address"
        ? t("account.passkeys_address", "Passkeys need a site with a name, not with a number.")
        : t("account.passkeys_http", "Passkeys need a site with https.")}
    </p>
  );
}

/** The form that adds a passkey, or what is needed for it. */
function More(props: AccountTemplateProps) {
  const { passkeys, isFresh, csrf, t } = props;
  if (passkeys?.isFull === true) {
    return <p>{t("account.passkeys_full", "No more passkeys fit: remove one first.")}</p>;
  }
  if (isFresh) return <AddPasskey {...props} />;
  return (
    <form method="post" action="/auth/account/again">
      <Csrf csrf={csrf} />
      <p>{t("account.passkeys_again", "To add a passkey, log in again first.")}</p>
      <button type="submit" class="button">
        {t("account.again", "Log in again")}
      </button>
    </form>
  );
}

type Item = NonNullable<AccountTemplateProps["passkeys"]>["items"][number];

function Passkey({ item, csrf, t, lang }: AccountTemplateProps & { item: Item }) {
  const field = `passkey-${item.id}`;
  const day = (at: string): string => formatDate(at, lang);
  const hidden = <input type="hidden" name="id" value={item.id} />;
  return (
    <li>
      <span>
        {item.name}{" "}
        <span class="dim">
          {item.used === null
            ? t("account.passkey_since", "added {date}").replace("{date}", () => day(item.created))
            : t("account.passkey_used", "last used {date}").replace("{date}", () =>
                day(item.used ?? item.created),
              )}
        </span>
      </span>
      <form method="post" action="/auth/account/passkeys/remove">
        <Csrf csrf={csrf} />
        {hidden}
        <button
          type="submit"
          class="button"
          aria-label={`${t("account.passkey_remove", "Remove")}: ${item.name}`}
        >
          {t("account.passkey_remove", "Remove")}
        </button>
      </form>
      <details class="account-rename">
        <summary>{t("account.passkey_rename", "Rename")}</summary>
        <form class="stack" method="post" action="/auth/account/passkeys">
          <Csrf csrf={csrf} />
          {hidden}
          <label for={field}>{t("account.passkey_name", "Name of the passkey")}</label>
          <input id={field} name="name" required maxlength={100} value={item.name} />
          <button type="submit" class="button">
            {t("account.save", "Save")}
          </button>
        </form>
      </details>
    </li>
  );
}

/** Hidden without JavaScript, which passkeys need. */
function AddPasskey({ csrf, t, sessions, passkeys }: AccountTemplateProps) {
  const device = sessions.find(({ isCurrent }) => isCurrent)?.device ?? "";
  return (
    <>
      <noscript>
        <p>{t("account.passkeys_script", "Adding a passkey needs JavaScript.")}</p>
      </noscript>
      <form
        class="stack"
        data-passkey-add
        hidden
        data-failed={t("account.passkey_failed", "The passkey could not be added.")}
        data-locked={t("login.locked", "Too many attempts. Please wait a few minutes.")}
      >
        <Csrf csrf={csrf} />
        <label for="passkey-name">{t("account.passkey_name", "Name of the passkey")}</label>
        <input id="passkey-name" name="name" required maxlength={100} value={device} />
        <p class="notice is-error" role="alert" hidden />
        <button type="submit" class="button">
          {t("account.passkey_add", "Add a passkey")}
        </button>
      </form>
      {passkeys?.script && <script type="module" src={passkeys.script} />}
    </>
  );
}
