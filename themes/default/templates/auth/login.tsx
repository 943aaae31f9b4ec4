import type { LoginTemplateProps } from "#theme";

/** The login page: a button for each provider, a form for email links, and passkeys. */
export default function Login(props: LoginTemplateProps) {
  const { Layout, t, providers, magicLink, next, error, message, keepsCookie, site } = props;
  const isAlone = providers.length === 0 && !magicLink.enabled;
  return (
    <Layout {...props} kind="login">
      <div class="wrap narrow panel">
        <h1>{t("login.title", "Log in")}</h1>
        <p class="dim">{t("login.text", "to {site}").replace("{site}", () => site.title)}</p>
        {error ? (
          <p class="notice is-error" role="alert">
            {t(
              `login.error.${error}`,
              t("login.error.other", "That did not work. Please try again."),
            )}
          </p>
        ) : null}
        {!keepsCookie && (
          <p class="notice is-error" role="alert">
            {t(
              "login.plain_http",
              "Browsers only stay logged in over https: open the site with https://.",
            )}
          </p>
        )}
        {message ? (
          <p class="notice" role="status">
            {t(
              `login.message.${message}`,
              t("login.message.sent", "Check your mail: the link is on its way."),
            )}
          </p>
        ) : null}
        {providers.length > 0 && (
          <ul class="providers">
            {providers.map((provider) => (
              <li key={provider.name}>
                <a class="button" href={withNext(provider.url, next)}>
                  {t("login.with", "Continue with {name}").replace("{name}", () => provider.label)}
                </a>
              </li>
            ))}
          </ul>
        )}
        {providers.length > 0 && magicLink.enabled && <p class="or">{t("login.or", "or")}</p>}
        {magicLink.enabled && <MailForm {...props} />}
        <Passkey {...props} />
        {isAlone && <NoOtherWay {...props} />}
      </div>
    </Layout>
  );
}

/** Without passkeys in the browser, the note is all that visitors see; the script removes it. */
function NoOtherWay({ t, passkeys }: LoginTemplateProps) {
  if (!passkeys) return <p>{t("login.none", "There is no way to log in here.")}</p>;
  const text = "Logging in here needs JavaScript and a browser with passkeys.";
  return <p data-passkey-needed>{t("login.passkey_needed", text)}</p>;
}

function MailForm({ t, magicLink, next }: LoginTemplateProps) {
  return (
    <form class="stack" id="magic-form" action={magicLink.action} method="post">
      <label for="magic-email">{t("login.email", "Email address")}</label>
      <input id="magic-email" type="email" name="email" required autocomplete="email webauthn" />
      <input type="hidden" name="next" value={next} />
      <button type="submit" class="button primary">
        {t("login.send", "Send me a link")}
      </button>
    </form>
  );
}

/** Hidden without JavaScript, which passkeys need. */
function Passkey({ t, next, passkeys }: LoginTemplateProps) {
  if (!passkeys) return null;
  return (
    <div
      class="passkey"
      data-passkey-login
      hidden
      data-next={next}
      data-failed={t("login.passkey_failed", "The passkey did not work. Please try another way.")}
      data-locked={t("login.locked", "Too many attempts. Please wait a few minutes.")}
    >
      <button type="button" class="button">
        {t("login.passkey", "Log in with a passkey")}
      </button>
      <p class="notice is-error" role="alert" hidden />
      <script type="module" src={passkeys.script} />
    </div>
  );
}

function withNext(url: string, next: string): string {
  if (next === "/" || next === "" || url.includes("next=")) return url;
  return `${url}${url.includes("?") ? "&" : "?"}next=${encodeURIComponent(next)}`;
}
