/* Generated from plugins/search/client by scripts/browser-search.mjs. */
/* oxlint-disable */
// plugins/search/client/utf8-length.js
function h(e) {
  return new TextEncoder().encode(e).length;
}

// plugins/search/query/score.ts
var T = { title: 3, taxonomy: 2, body: 1, exactTitle: 5 }, Lt = 1.5, $ = 1e3;
function B(e) {
  let t = new Map(Object.entries(e).map(([o, s]) => [o, s.weight])), n = (o, s) => Math.round((t.get(o) ?? s) * $), r = n("title", T.title);
  return {
    title: r,
    taxonomy: n("taxonomy", T.taxonomy),
    body: n("body", T.body),
    exactTitle: Math.round(r * T.exactTitle / T.title),
    field: (o) => n(o, 1),
    configured: Object.fromEntries([...t.keys()].map((o) => [o, n(o, 1)]))
  };
}
function It(e, t) {
  return (t ? e * Lt : e) / $;
}
function Y(e, t, n) {
  let r = t ? n.exactTitle : 0;
  for (let o of e) o && (r += _t(o, n));
  return It(r, e.length > 1 && e.every((o) => o !== null));
}
function _t(e, t) {
  return Ht(e, t).reduce((n, r) => n + r.points, 0);
}
function Ht(e, t) {
  let n = Math.min(e.body, 5);
  return [
    { field: "title", count: e.title ? 1 : 0, points: e.title ? t.title : 0 },
    { field: "taxonomy", count: e.taxonomy, points: e.taxonomy * t.taxonomy },
    { field: "body", count: e.body, points: n * t.body },
    ...e.fields.map((o) => ({ field: o, count: 1, points: t.field(o) }))
  ].filter((o) => o.count > 0);
}

// plugins/search/query/terms.ts
var jt = new RegExp(
  [
    "[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f",
    "\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7",
    "\\u0610-\\u061a\\u064b-\\u065f\\u0670]"
  ].join(""),
  "gu"
), kt = /[ßøæœłđðþıς]/gu, Dt = {
  ß: "ss",
  ø: "o",
  æ: "ae",
  œ: "oe",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ς: "σ"
}, Wt = /[\s\p{Cc}\p{Cf}\p{Cs}]/gu, Xt = /^[^\p{L}\p{N}]+/u, Ut = /^[\p{L}\p{N}\p{M}]$/u, Gt = /^[!-~]*$/, Z = /\S+/gu;
function g(e) {
  if (Gt.test(e)) return V(C(e.toLowerCase()));
  let t = e.normalize("NFKD").toLowerCase().replace(jt, "").replace(kt, (n) => Dt[n] ?? n).normalize("NFC").replace(Wt, "");
  return V(C(t));
}
function C(e) {
  if (j(e.charCodeAt(0)) && j(e.charCodeAt(e.length - 1))) return e;
  let t = e.replace(Xt, ""), n = t.length;
  for (; n > 0 && !Kt(t, n); ) n -= 1;
  return n === t.length ? t : t.slice(0, n);
}
function Kt(e, t) {
  let n = e.charCodeAt(t - 1);
  if (n < 128) return j(n);
  let r = n >= 56320 && n <= 57343;
  return Ut.test(r ? e.slice(Math.max(0, t - 2), t) : e.charAt(t - 1));
}
function j(e) {
  let t = e | 32;
  return e >= 48 && e <= 57 || t >= 97 && t <= 122;
}
function V(e) {
  if (e.length <= 64) return e;
  let t = e.slice(0, 64), n = t.charCodeAt(63);
  return n >= 55296 && n <= 56319 ? t.slice(0, -1) : t;
}
function A(e) {
  if (e.length !== 2) return e.length > 2;
  let t = e.charCodeAt(0);
  return t < 55296 || t > 56319;
}
function y(e) {
  let t = [];
  for (let n of e.match(Z) ?? []) {
    let r = g(n);
    A(r) && t.push(r);
  }
  return t;
}
function k(e) {
  return [...new Set(y(e.slice(0, 256)))].slice(0, 16);
}
function S(e) {
  let t = [];
  for (let n of e.match(Z) ?? []) {
    let r = g(n);
    r !== "" && t.push(r);
  }
  return t.join(" ");
}

// plugins/search/query/phrases.ts
var Qt = 5e3;
async function q(e, { phrases: t, notPhrases: n, notTerms: r }) {
  let o = null;
  for (let i of t)
    o = await J(e, i, o);
  let s = /* @__PURE__ */ new Set();
  for (let i of r) for (let a of await e.find([i])) s.add(a);
  for (let i of n)
    for (let a of await J(e, i, o)) s.add(a);
  return { only: o, except: [...s] };
}
async function J(e, t, n) {
  let r = [...new Set(y(t))], o = [new Set(n ?? await e.find(r))];
  if (n !== null || r.length > 1)
    for (let a of r) o.push(new Set(await e.find([a])));
  let s = [...o[0] ?? []].filter((a) => o.every((c) => c.has(a))), i = [];
  for (let a of s.slice(0, Qt))
    (await e.texts(a)).some((l) => zt(l, t)) && i.push(a);
  return i;
}
function zt(e, t) {
  return ` ${S(e)} `.includes(` ${t} `);
}

// plugins/search/query/select.ts
function tt(e, t) {
  let n = Yt(t), r = new Map(t.facets.map((i) => [i, /* @__PURE__ */ new Map()])), o = [];
  for (let i of e) {
    if (i.score === 0 && t.terms.length > 0) continue;
    let a = n.filter((c) => !c.passes(i.document));
    a.length === 0 && o.push(i), Vt(r, i.document, a);
  }
  o.sort(t.sort === "date" || t.terms.length === 0 ? $t : Bt);
  let s = o.slice(t.offset, t.offset + t.limit);
  return {
    total: o.length,
    hits: s.map(({ document: i, score: a }) => ({ route: i.route, score: a })),
    facets: Zt(r)
  };
}
function O(e, t) {
  let [n, r] = [e.date ?? "", t.date ?? ""];
  return n !== r ? n < r ? 1 : -1 : e.route < t.route ? -1 : e.route > t.route ? 1 : 0;
}
function $t(e, t) {
  return O(e.document, t.document);
}
function Bt(e, t) {
  return t.score - e.score || O(e.document, t.document);
}
function Yt(e) {
  let { template: t, from: n, to: r, taxonomy: o, facets: s } = e.filters, i = new Set(e.access), a = [{ facet: null, passes: (l) => i.has(l.access) }], c = (l, u = null) => {
    a.push({ facet: u, passes: l });
  };
  if (e.routes !== void 0) {
    let l = e.routes.only === null ? null : new Set(e.routes.only), u = new Set(e.routes.except);
    c(({ route: d }) => l?.has(d) !== !1 && !u.has(d));
  }
  e.lang !== null && c((l) => l.lang === e.lang || l.lang === ""), t !== void 0 && c((l) => l.template === t), n !== void 0 && c((l) => l.date !== null && l.date >= n), r !== void 0 && c((l) => l.date !== null && l.date <= r);
  for (let [l, u] of Object.entries(o))
    c((d) => D(d.taxonomy, l).some((f) => u.includes(f)));
  for (let [l, u] of Object.entries(s))
    c((d) => D(d.facets, l).some((f) => u.includes(f)), l);
  return a;
}
function Vt(e, t, n) {
  let r = n[0];
  if (!(n.length > 1 || r && r.facet === null)) {
    for (let [o, s] of e)
      if (!(r && r.facet !== o))
        for (let i of new Set(D(t.facets, o)))
          s.set(i, (s.get(i) ?? 0) + 1);
  }
}
function D(e, t) {
  return Object.hasOwn(e, t) ? e[t] ?? [] : [];
}
function Zt(e) {
  return Object.fromEntries(
    [...e].map(([t, n]) => [t, Jt([...n])])
  );
}
function Jt(e) {
  return e.sort((t, n) => n[1] - t[1] || (t[0] < n[0] ? -1 : 1)), Object.fromEntries(e);
}

// plugins/search/query/syntax.ts
var et = 8, te = 16, ee = /(?<!\S)(?<not>-?)"(?<phrase>[^"]*)"\S*|\S+/gu, ne = /[“”„‟«»]/gu, re = /^-[\p{L}\p{N}]/u;
function E(e, t) {
  let n = e.slice(0, 256), r = { text: n, terms: k(n), extended: null };
  return t === "plain" ? r : oe(n) ?? r;
}
var W = class {
  wanted = [];
  phrases = /* @__PURE__ */ new Set();
  notPhrases = /* @__PURE__ */ new Set();
  notTerms = /* @__PURE__ */ new Set();
  addPhrase(t, n) {
    n || this.wanted.push(t), y(t).length !== 0 && (n ? this.notPhrases : this.phrases).add(S(t));
  }
  addWord(t) {
    re.test(t) ? A(g(t)) && this.notTerms.add(g(t)) : this.wanted.push(t);
  }
  get isPlain() {
    return this.phrases.size + this.notPhrases.size + this.notTerms.size === 0;
  }
};
function oe(e) {
  let t = new W();
  for (let { 0: r, groups: o } of e.replace(ne, '"').matchAll(ee)) {
    let s = o?.phrase;
    s === void 0 ? t.addWord(r) : t.addPhrase(s, o?.not === "-");
  }
  if (t.isPlain) return null;
  let n = t.wanted.join(" ");
  return {
    text: n,
    terms: k(n),
    extended: {
      typed: e,
      phrases: [...t.phrases].slice(0, et),
      notPhrases: [...t.notPhrases].slice(0, et),
      notTerms: [...t.notTerms].slice(0, te)
    }
  };
}

// plugins/search/query/find-matches.ts
var nt = 1e5, v = /[^\0-\x7f]/g, ot = /\s/u;
function N(e, t) {
  if (t.length === 0) return [];
  let n = e.length > nt ? e.slice(0, nt) : e, r = n.toLowerCase(), o = [], s = r.length === n.length ? se : ie;
  t.forEach((a, c) => s({ text: n, lower: r }, { term: a, at: c }, o));
  let i = h(n) === n.length;
  return i || ae(n, t, o), i && t.length === 1 ? o : le(o);
}
function se({ text: e, lower: t }, { term: n, at: r }, o) {
  let s = t.indexOf(n);
  for (; s >= 0; ) {
    let i = s + 1;
    if (ue(e, s)) {
      let a = st(e, s);
      X(o, e, { start: s, end: a, term: r }), i = Math.max(i, a);
    }
    s = t.indexOf(n, i);
  }
}
function ie({ text: e }, { term: t, at: n }, r) {
  for (let { index: o, 0: s } of e.matchAll(/\S+/gu)) {
    let i = { start: o, end: o + s.length, term: n };
    g(s).startsWith(t) && X(r, e, i);
  }
}
function ae(e, t, n) {
  let r = new Set(t.map((s) => s.charCodeAt(0)));
  v.lastIndex = 0;
  let o = 0;
  for (let s = v.exec(e); s; s = v.exec(e)) {
    if (s.index < o || ot.test(s[0])) continue;
    let [i, a] = [de(e, s.index), st(e, s.index)];
    if (o = a, v.lastIndex = Math.max(o, s.index + 1), !ce(e, { start: i, end: a }, r)) continue;
    let c = g(e.slice(i, a)), l = A(c) ? t.findIndex((u) => c.startsWith(u)) : -1;
    l >= 0 && X(n, e, { start: i, end: a, term: l });
  }
}
function ce(e, { start: t, end: n }, r) {
  let o = t;
  for (; o < n && it(e.charCodeAt(o)); ) o += 1;
  let s = e.charCodeAt(o);
  return !U(s) || r.has(s) || r.has(s | 32);
}
function X(e, t, n) {
  if (rt(t, n.start) && rt(t, n.end - 1)) {
    e.push(n);
    return;
  }
  let r = t.slice(n.start, n.end), o = C(r), s = n.start + r.indexOf(o);
  o !== "" && e.push({ start: s, end: s + o.length, term: n.term });
}
function le(e) {
  e.sort((r, o) => r.start - o.start || r.term - o.term);
  let [t, n] = [0, -1];
  for (let r of e)
    r.start !== n && (e[t++] = r), n = r.start;
  return e.length = t, e;
}
function ue(e, t) {
  let n = t - 1;
  for (; n >= 0 && it(e.charCodeAt(n)); ) n -= 1;
  return n < 0 || b(e, n);
}
function de(e, t) {
  let n = t;
  for (; n > 0 && !b(e, n - 1); ) n -= 1;
  return n;
}
function st(e, t) {
  let n = t;
  for (; n < e.length && !b(e, n); ) n += 1;
  return n;
}
function b(e, t) {
  let n = e.charCodeAt(t);
  return n < 128 ? n === 32 || n >= 9 && n <= 13 : ot.test(e.charAt(t));
}
function it(e) {
  return e > 32 && e <= 126 && !U(e);
}
function rt(e, t) {
  return U(e.charCodeAt(t));
}
function U(e) {
  let t = e | 32;
  return e >= 48 && e <= 57 || t >= 97 && t <= 122;
}

// plugins/search/query/excerpt.ts
var fe = 20, at = 40, me = /[&<>"']/gu, ct = /[&<>"']|\s{2,}|[^\S ]/u, he = new RegExp(ct, "gu"), lt = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
};
function pe(e) {
  return e.replace(me, (t) => lt[t] ?? t);
}
function F(e, t) {
  let n = N(e, t.terms), r = we(e, ge(n, t.length), t.length), o = t.highlight ? n.filter((a) => a.start >= r.start && a.end <= r.end) : [], s = (r.start > 0 ? "…" : "") + Se(e, r, o) + (r.end < e.length ? "…" : ""), i = /* @__PURE__ */ new Set();
  for (let a of n) {
    if (i.size === fe) break;
    i.add(e.slice(a.start, a.end));
  }
  return { html: s, highlights: Array.from(i, pe) };
}
function ge(e, t) {
  let [n, r, o, s, i] = [0, -1, 0, 0, 0], a = [];
  for (let c = 0; c < e.length; c++) {
    let { term: l, end: u } = e[c];
    for ((a[l] = (a[l] ?? 0) + 1) === 1 && (i += 1); s < c && u - e[s].start > t; ) {
      let f = e[s++].term;
      (a[f] = a[f] - 1) === 0 && (i -= 1);
    }
    let d = i * e.length + (c - s + 1);
    d > o && ([n, r, o] = [s, c, d]);
  }
  return ye(e, { first: n, last: r });
}
function ye(e, t) {
  let [n, r] = [e[t.first], e[t.last]];
  return n && r ? { first: n.start, last: r.end } : null;
}
function we(e, t, n) {
  if (e.length <= n) return { start: 0, end: e.length };
  let r = t ? Math.max(0, n - (t.last - t.first)) : 0, o = t ? Math.max(0, t.first - Math.floor(r / 2)) : 0, s = Math.min(o, e.length - n), i = s === 0 ? 0 : be(e, s, t ? t.first : s), a = Math.min(e.length, i + n);
  return { start: i, end: a === e.length ? a : xe(e, a, t ? t.last : i) };
}
function be(e, t, n) {
  if (b(e, t - 1)) return t;
  for (let r = t; r < Math.min(n, t + at); r++)
    if (b(e, r)) return r + 1;
  return ut(e, t) ? t + 1 : t;
}
function xe(e, t, n) {
  if (b(e, t)) return t;
  for (let r = t - 1; r >= Math.max(n, t - at); r--)
    if (b(e, r)) return r;
  return ut(e, t) ? t - 1 : t;
}
function ut(e, t) {
  let n = e.charCodeAt(t);
  return n >= 56320 && n <= 57343;
}
function Se(e, t, n) {
  let r = e.slice(t.start, t.end), o = ct.test(r) ? Re : Me, s = "", i = 0;
  for (let a of n) {
    let [c, l] = [a.start - t.start, a.end - t.start];
    s += `${o(r.slice(i, c))}<mark>${o(r.slice(c, l))}</mark>`, i = l;
  }
  return (s + o(r.slice(i))).trim();
}
function Me(e) {
  return e;
}
function Re(e) {
  return e.replace(he, (t) => lt[t] ?? " ");
}

// plugins/search/client/client-results.ts
function G(e, { offset: t, limit: n }) {
  let r = [...e].map(([o, s]) => ({ id: o, score: s })).filter(({ score: o }) => o > 0).sort((o, s) => s.score - o.score || o.id - s.id);
  return { total: r.length, facets: {}, hits: r.slice(t, t + n) };
}
function* dt(e, t, n) {
  for (let [r, o] of t) {
    let s = e.get(r) ?? 0;
    if (s === 0 && !n) continue;
    let [i, a, c, l, u, d] = o;
    yield { score: s, document: { ...{ route: i, lang: a, template: c, date: l, taxonomy: u, facets: d }, title: "", fields: {}, access: "" } };
  }
}
function K(e, t) {
  let { head: n, terms: r, score: o } = t, { text: s, ...i } = e ?? Te, { highlight: a, excerptLength: c } = n, l = F(s, { terms: r, length: c, highlight: a }), u = { ...i, score: o, excerpt: l.html };
  return a ? { ...u, highlights: l.highlights } : u;
}
var Te = {
  route: "/",
  title: "",
  template: "",
  date: "",
  taxonomy: {},
  text: ""
};
function Q({ template: e, from: t, to: n, taxonomy: r, facets: o }) {
  return [e, t, n].some((i) => i !== void 0) || Object.keys(r).length + Object.keys(o).length > 0;
}

// plugins/search/similar/edit-distance.ts
function ft(e) {
  return e.length < 4 ? 0 : e.length < 7 ? 1 : 2;
}
function mt(e, t, n) {
  if (t.length < e.length - n) return null;
  let r = e.length >= 5;
  if (!r && t.length > e.length + n) return null;
  let o = Math.min(t.length, e.length + n), s = Ae(e, t.slice(0, o), n);
  if (s === null) return null;
  let i = r ? Math.min(...s) : s[t.length] ?? n + 1;
  return i <= n ? i : null;
}
function Ae(e, t, n) {
  let r = [], o = Array.from({ length: t.length + 1 }, (s, i) => i);
  for (let s = 1; s <= e.length; s++) {
    let i = [s], a = s;
    for (let c = 1; c <= t.length; c++) {
      let l = e[s - 1] === t[c - 1], u = Math.min(
        o[c - 1] + (l ? 0 : 1),
        o[c] + 1,
        i[c - 1] + 1
      );
      s > 1 && c > 1 && e[s - 1] === t[c - 2] && e[s - 2] === t[c - 1] && (u = Math.min(u, r[c - 2] + 1)), i.push(u), u < a && (a = u);
    }
    if (a > n) return null;
    r = o, o = i;
  }
  return o;
}

// plugins/search/similar/alternatives.ts
var Ee = 3, Pe = 4, Ce = 3, z = 3, ht = 64;
async function pt(e, t) {
  let n = ft(e);
  if (!t.typo || n === 0) return [];
  let [r = ""] = e, o = { prefix: r, shortest: e.length - n, longest: ht }, s = [];
  for (let i of await t.words(o)) {
    let a = mt(e, i, n);
    a !== null && a > 0 && s.push({ word: i, distance: a });
  }
  return s.sort(
    (i, a) => i.distance - a.distance || i.word.length - a.word.length || (i.word < a.word ? -1 : +(i.word > a.word))
  ), s.slice(0, Ee).map(({ word: i }) => ({ term: e, words: [i], matched: "typo" }));
}
function gt(e, { synonyms: t }) {
  return t.of(e).slice(0, Pe).map((r) => ({ term: e, words: r, matched: "synonym" }));
}
async function yt(e, t) {
  let { stem: n } = t;
  if (n === null || e.length < z) return [];
  let r = e.slice(0, z), o = n(e), a = (await t.words({ prefix: r, shortest: z, longest: ht })).filter((u) => !u.startsWith(e) && n(u) === o).sort((u, d) => u.length - d.length || (u < d ? -1 : 1));
  return a.filter(
    (u, d) => !a.slice(0, d).some((f) => u.startsWith(f))
  ).slice(0, Ce).map((u) => ({ term: e, words: [u], matched: "stem" }));
}

// plugins/search/similar/find-similar.ts
var Oe = 4, ve = 8, wt = 500, Ne = /(?!-)[^\s"“”„]+/gu;
async function bt(e, t) {
  let n = /* @__PURE__ */ new Map(), r = /* @__PURE__ */ new Map();
  for (let s of await Fe(e, t)) {
    let i = Le(t.terms, s, e), a = await Ie(e, s, i), { term: c, words: l, matched: u } = s;
    a.length > 0 && u === "typo" && !r.has(c) && r.set(c, l.join(" "));
    for (let { route: d, score: f } of a)
      f > (n.get(d)?.score ?? 0) && !t.shown.has(d) && n.set(d, { route: d, score: f, matched: u, terms: i });
  }
  return { hits: [...n.values()].sort((s, i) => i.score - s.score || e.compare(s.route, i.route)).slice(0, t.limit), didYouMean: _e(t.text, r) };
}
async function Fe(e, { terms: t, total: n }) {
  let r = [], o = t.filter((s) => !e.synonyms.isStop(s)).slice(0, Oe);
  for (let s of o)
    r.push(...gt(s, e), ...await yt(s, e)), n > 0 && (t.length === 1 || (await e.find([s], 1)).total > 0) || r.push(...await pt(s, e));
  return r.slice(0, ve);
}
function Le(e, { term: t, words: n }, { synonyms: r }) {
  let o = e.flatMap((s) => s === t ? n : r.isStop(s) ? [] : [s]);
  return [...new Set(o)];
}
async function Ie(e, { words: t }, n) {
  let { hits: r } = await e.find(n, wt);
  if (r.length === 0 || n.length === 1) return r;
  let s = (await Promise.all(t.map((i) => e.find([i], wt)))).map((i) => new Set(i.hits.map(({ route: a }) => a)));
  return r.filter(({ route: i }) => s.every((a) => a.has(i)));
}
function _e(e, t) {
  return t.size === 0 ? null : e.trim().replace(Ne, (n) => t.get(g(n)) ?? n);
}

// plugins/search/similar/synonyms.ts
var L = class {
  #t = /* @__PURE__ */ new Map();
  #e = /* @__PURE__ */ new Set();
  constructor(t) {
    for (let { groups: n, one_way: r, stop: o } of t) {
      for (let s of n) this.#r(s);
      for (let [s, i] of Object.entries(r))
        for (let a of i) this.#o(s, a);
      for (let s of o) for (let i of y(s)) this.#e.add(i);
    }
  }
  /** The synonyms of a term; one of several words is a list of terms. */
  of(t) {
    return this.#t.get(t) ?? [];
  }
  isStop(t) {
    return this.#e.has(t);
  }
  #r(t) {
    for (let n of t) for (let r of t) n !== r && this.#o(n, r);
  }
  /** Only single words are looked up; what they lead to may have several. */
  #o(t, n) {
    let [r, ...o] = y(t), s = y(n);
    if (r === void 0 || o.length > 0 || s.length === 0) return;
    let i = this.#t.get(r) ?? [];
    i.some((a) => a.join(" ") === s.join(" ")) || i.push(s), this.#t.set(r, i);
  }
};

// plugins/search/client/client-similar.ts
var He = 10;
async function xt(e, t, n) {
  if (t.terms.length === 0 || t.offset > 0) return { similar: [], didYouMean: null };
  let { typo: r, lists: o, main: s } = e.head.similar, i = o[t.lang ?? s] ?? o[""] ?? [], a = (u) => ({ route: u, date: e.dates.get(u) ?? null }), { hits: c, didYouMean: l } = await bt(
    {
      typo: r,
      stem: null,
      synonyms: new L(i),
      find: (u, d) => e.find(u, d),
      words: (u) => e.words(u),
      compare: (u, d) => O(a(u), a(d))
    },
    {
      text: t.text,
      terms: t.terms,
      total: n.total,
      shown: new Set(n.items.map(({ route: u }) => u)),
      limit: Math.min(t.limit, He)
    }
  );
  return { similar: await Promise.all(c.map((u) => e.item(u))), didYouMean: l };
}

// plugins/search/client/matches.ts
function Rt(e, t, n) {
  for (let [r, o, s, i, a] of t.terms)
    if (r.startsWith(n)) {
      Mt(o, (c, l) => {
        P(e, c).body += l;
      }), St(s, (c) => {
        P(e, c).title = !0;
      }), Mt(i, (c, l) => {
        P(e, c).values.add(l);
      });
      for (let [c, l] of a)
        St(l, (u) => {
          P(e, u).fields.add(c);
        });
    }
}
function Tt(e, { id: t, terms: n }, r) {
  for (let [o, s, i, a, c] of n) {
    if (!o.startsWith(r)) continue;
    let l = P(e, t);
    l.body += s, l.title ||= i === 1, I(l.values, a), I(l.fields, c);
  }
}
function P(e, t) {
  let n = e.get(t);
  if (n !== void 0) return n;
  let r = { title: !1, values: /* @__PURE__ */ new Set(), body: 0, fields: /* @__PURE__ */ new Set() };
  return e.set(t, r), r;
}
function At(e, t) {
  if (e === void 0) return null;
  let { title: n, values: r, body: o, fields: s } = e;
  return { title: n, taxonomy: r.size, body: o, fields: [...s].map((i) => t[i] ?? "") };
}
function I(e, t) {
  for (let n of t) e.add(n);
}
function St(e, t) {
  let n = 0;
  for (let r of e) t(n += r);
}
function Mt(e, t) {
  let n = 0;
  for (let r = 0; r + 1 < e.length; r += 2)
    n += e[r] ?? 0, t(n, e[r + 1] ?? 0);
}

// plugins/search/client/client-search.ts
var _ = class {
  #t;
  #e = /* @__PURE__ */ new Map();
  constructor(t) {
    this.#t = t;
  }
  /** The head of the index: page size, facets. */
  head() {
    return this.#n("index.json");
  }
  async search(t) {
    let n = await this.head(), r = E(t.text, n.syntax), { terms: o } = r, s = o.length === 0 && Q(t.filters);
    if (o.length === 0 && !s)
      return { total: 0, items: [], facets: {}, hasMore: !1 };
    let i = await this.#r(n, r, await this.#i(n, r.text, o)), c = !Q(t.filters) && t.sort === "relevance" && t.lang === null && n.facets.length === 0 ? G(i, t) : await this.#c(n, i, { ...t, terms: o, isBrowsing: s }), l = await Promise.all(
      c.hits.map(
        async ({ id: f, score: p }) => K(await this.#a(n, f), { head: n, terms: o, score: p })
      )
    ), { total: u, facets: d } = c;
    return { total: u, items: l, facets: d, hasMore: t.offset + t.limit < u };
  }
  /** Similar hits beside the exact ones of the same request, as on the server; without stems. */
  async similar(t, n) {
    let r = await this.head(), o = await this.#u(r), s = new Map([...o].map(([c, l]) => [l[0], c])), i = new Map([...o.values()].map(([c, , , l]) => [c, l])), a = E(t.text, r.syntax);
    return xt(
      {
        head: r,
        dates: i,
        words: (c) => this.#o(r, c),
        find: async (c, l) => {
          let u = await this.#i(r, c.join(" "), c), d = await this.#r(r, a, u), f = { ...t, terms: c, limit: l, isBrowsing: !1 }, p = await this.#c(r, d, { ...f, sort: "relevance" }), w = p.hits.map(({ id: x, score: R }) => ({
            route: o.get(x)?.[0] ?? "",
            score: R
          }));
          return { total: p.total, hits: w };
        },
        item: async ({ route: c, score: l, terms: u, matched: d }) => {
          let f = await this.#a(r, s.get(c) ?? -1);
          return { ...K(f, { head: r, terms: u, score: l }), matched: d };
        }
      },
      { ...t, text: a.extended?.typed ?? a.text, terms: a.terms },
      n
    );
  }
  /** The scores of the documents that the phrases and exclusions of a query leave. */
  async #r(t, { extended: n }, r) {
    if (n === null) return r;
    let o = async (u) => {
      let d = await this.#i(t, u.join(" "), u);
      return G(d, { offset: 0, limit: d.size }).hits.map(({ id: f }) => f);
    }, s = async (u) => {
      let d = await this.#a(t, u);
      return d === void 0 ? [] : [d.title, d.text, ...Object.values(d.taxonomy).flat()];
    }, { only: i, except: a } = await q({ find: o, texts: s }, n), [c, l] = [i === null ? null : new Set(i), new Set(a)];
    return new Map([...r].filter(([u]) => c?.has(u) !== !1 && !l.has(u)));
  }
  async #o(t, { prefix: n, shortest: r, longest: o }) {
    let s = await this.#l(t, n), i = await this.#s(t), a = [...s, ...i].flatMap(({ terms: l }) => l.map(([u]) => u)), c = (l) => l.startsWith(n) && l.length >= r && l.length <= o;
    return [...new Set(a.filter(c))];
  }
  /** Applies the server's rules for filters and facets, which need every document. */
  async #c(t, n, r) {
    let o = await this.#u(t), { total: s, hits: i, facets: a } = tt(
      dt(n, o, r.isBrowsing),
      { ...r, access: [""], facets: t.facets }
    ), c = new Map([...o].map(([u, d]) => [d[0], u])), l = i.map(({ route: u, score: d }) => ({ id: c.get(u) ?? -1, score: d }));
    return { total: s, facets: a ?? {}, hits: l };
  }
  async #i(t, n, r) {
    let o = B(t.weights), s = await this.#s(t), i = new Set(t.removed), a = S(n), c = /* @__PURE__ */ new Set(), l = await Promise.all(
      r.map(async (d) => {
        let f = /* @__PURE__ */ new Map();
        for (let p of await this.#l(t, d)) {
          Rt(f, p, d);
          for (let [w, x] of p.titles) w === a && I(c, x);
        }
        for (let p of i) f.delete(p);
        for (let p of s) Tt(f, p, d);
        return f;
      })
    );
    for (let d of i) c.delete(d);
    for (let { id: d, title: f } of s) f === a && c.add(d);
    let u = /* @__PURE__ */ new Map();
    for (let d of new Set(l.flatMap((f) => [...f.keys()]))) {
      let f = l.map((p) => At(p.get(d), t.fields));
      u.set(d, Y(f, c.has(d), o));
    }
    return u;
  }
  /** Returns the files with the words that start with a term. */
  async #l({ terms: t }, n) {
    let r = t.flatMap(([o, s], i) => {
      let a = t[i + 1]?.[0];
      return (o <= n || o.startsWith(n)) && (a === void 0 || a > n) ? [s] : [];
    });
    return Promise.all(r.map((o) => this.#n(o)));
  }
  async #u(t) {
    let { rows: n } = await this.#n(t.rows), r = new Map(n.map((o, s) => [s, o]));
    for (let o of t.removed) r.delete(o);
    for (let { id: o, row: s } of await this.#s(t)) r.set(o, s);
    return r;
  }
  async #s({ late: t }) {
    return t === null ? [] : this.#n(t);
  }
  async #a(t, n) {
    let r = (await this.#s(t)).find((a) => a.id === n);
    if (r !== void 0) return r.shown;
    let o = t.shown.findLastIndex(([a]) => a <= n), [s, i] = t.shown[o] ?? [0, ""];
    return (await this.#n(i))[n - s];
  }
  /** The export writes this file beside the script, in the shape that `format.ts` defines. */
  async #n(t) {
    let n = this.#e.get(t) ?? this.#t(t);
    this.#e.set(t, n);
    try {
      return await n;
    } catch (r) {
      throw this.#e.delete(t), r;
    }
  }
};

// plugins/search/client/page-sections.js
var je = 3, ke = 3, De = 90, Et = /* @__PURE__ */ new Map();
async function Pt(e, t, n) {
  let r = await Promise.all(
    e.slice(0, je).map(async ({ route: o }) => [o, Ge(await We(o, n), t)])
  );
  return Object.fromEntries(r.filter(([, o]) => o.length > 0));
}
function We(e, t) {
  let n = Et.get(e) ?? Xe(new URL(e.replace(/^\/+/, ""), t));
  return Et.set(e, n), n;
}
async function Xe(e) {
  let t = await fetch(e).catch(() => null);
  return t?.ok !== !0 ? [] : [...new DOMParser().parseFromString(await t.text(), "text/html").querySelector("main")?.querySelectorAll("h2[id], h3[id], h4[id]") ?? []].map((o) => ({
    id: o.id,
    title: o.textContent.trim(),
    text: Ue(o)
  }));
}
function Ue(e) {
  let t = "";
  for (let n = e.nextElementSibling; n !== null && !/^H[1-6]$/.test(n.nodeName); n = n.nextElementSibling)
    t += ` ${n.textContent}`;
  return t.replace(/\s+/g, " ").trim();
}
function Ge(e, t) {
  let n = (r) => new Set(N(r, t).map(({ term: o }) => o)).size;
  return e.map(({ id: r, title: o, text: s }, i) => {
    let a = F(s, { terms: t, length: De, highlight: !0 }).html;
    return { worth: n(o) * 2 + n(s), at: i, hit: { id: r, title: o, excerpt: a } };
  }).filter(({ worth: r }) => r > 0).sort((r, o) => o.worth - r.worth || r.at - o.at).slice(0, ke).map(({ hit: r }) => r);
}

// plugins/search/client/read-request.js
function Ot(e, t) {
  let n = t.facets.includes("subtype"), r = Ke(e, t.facets), o = e.get("type") ?? "";
  return n && o !== "" && o !== "all" && (r.subtype = [o]), {
    text: e.get("q") ?? "",
    filters: { taxonomy: Qe(e), facets: r },
    sort: n && e.get("sort") === "date" ? "date" : "relevance",
    limit: Math.min(500, Ct(e.get("limit"), 1) ?? t.pageSize),
    offset: Ct(e.get("offset"), 0) ?? 0
  };
}
function Ct(e, t) {
  return /^\d{1,7}$/.test(e ?? "") && Number(e) >= t ? Number(e) : null;
}
function Ke(e, t) {
  let n = t.map((r) => {
    let o = [...e.getAll(`facet[${r}]`), ...e.getAll(`facet[${r}][]`)];
    return [r, o.filter((s) => s !== "")];
  });
  return Object.fromEntries(n.filter(([, r]) => r.length > 0));
}
function Qe(e) {
  let t = {};
  for (let [n, r] of e) {
    let o = /^taxonomy\[([^\]]+)\](?:\[\])?$/.exec(n)?.[1];
    o !== void 0 && r !== "" && (t[o] = [...t[o] ?? [], r]);
  }
  return t;
}

// plugins/search/client/search-page.js
var vt = new URL("./", import.meta.url), Nt = new URL("../../", vt), M = new _(async (e) => {
  let t = await fetch(new URL(e, vt));
  if (!t.ok) throw new Error(`${e}: ${t.status}`);
  return t.json();
});
function m(e, t = {}, ...n) {
  let r = Object.assign(document.createElement(e), t);
  return r.append(...n), r;
}
function ze(e) {
  let t = document.createDocumentFragment();
  for (let n of new DOMParser().parseFromString(e, "text/html").body.childNodes) {
    let r = n.textContent ?? "";
    t.append(n.nodeName === "MARK" ? m("mark", { textContent: r }) : r);
  }
  return t;
}
function Ft(e) {
  let t = new URL(e.route.replace(/^\/+/, ""), Nt).href, n = m("p", { className: "result-place" }, new URL(t).pathname);
  if (e.date !== "") {
    let r = new Intl.DateTimeFormat(document.documentElement.lang || "en", {
      dateStyle: "medium",
      timeZone: "UTC"
    });
    n.append(m("time", { dateTime: e.date }, r.format(new Date(e.date))));
  }
  return m(
    "li",
    { className: "result search-result" },
    m("h2", {}, m("a", { href: t, textContent: e.title })),
    n,
    m("p", {}, ze(e.excerpt))
  );
}
function $e() {
  let e = document.querySelector("main") ?? document.body, t = (o, s, i) => e.querySelector(`[data-search-${o}]`) ?? e.querySelector(s) ?? i(), n = t("results", "ol.results, #search-results", () => {
    let o = m("ol", { className: "results" });
    return e.append(o), o;
  }), r = t("count", ".search-count, #search-status", () => {
    let o = m("p", { className: "search-count" });
    return n.before(o), o;
  });
  return r.setAttribute("role", "status"), { list: n, count: r };
}
function Be(e, t, { dataset: n }) {
  let [r, o] = e === 0 ? ["none", "Nothing found for “{q}”"] : e === 1 ? ["one", "1 result for “{q}”"] : ["many", "{n} results for “{q}”"];
  return (n[r] ?? o).replace("{n}", String(e)).replace("{q}", () => t);
}
function H(e, t, n) {
  let r = new URLSearchParams(e);
  return t(r), m("a", { ...n, href: `?${r}` });
}
function Ye(e, t, { dataset: n }) {
  let r = Object.entries(e).filter(([, s]) => Object.keys(s).length > 0), o = m("nav", { className: "facets", ariaLabel: n.narrow ?? "Narrow down" });
  for (let [s, i] of r) {
    let a = m("ul");
    for (let [c, l] of Object.entries(i)) {
      let u = `facet[${s}]`, d = t.getAll(u).includes(c), p = H(t, (w) => {
        let x = w.getAll(u).filter((R) => R !== c);
        w.delete(u), w.delete("offset");
        for (let R of d ? x : [...x, c]) w.append(u, R);
      }, { rel: "nofollow" });
      d && p.setAttribute("aria-current", "true"), p.append(
        m("span", { textContent: c }),
        " ",
        m("span", { className: "count", textContent: String(l) })
      ), a.append(m("li", {}, p));
    }
    o.append(
      m("section", {}, m("h2", { textContent: s.split(".").at(-1) }), a)
    );
  }
  return r.length === 0 ? null : o;
}
function Ve(e, { hasMore: t, params: n, dataset: r }) {
  if (e.offset === 0 && !t) return null;
  let o = (i) => (a) => {
    i === 0 ? a.delete("offset") : a.set("offset", String(i));
  }, s = Math.max(0, e.offset - e.limit);
  return m(
    "nav",
    { className: "pagination", ariaLabel: r.pages ?? "Pages" },
    e.offset > 0 ? H(n, o(s), { rel: "prev", textContent: r.previous ?? "Previous" }) : m("span"),
    t ? H(n, o(e.offset + e.limit), {
      rel: "next",
      textContent: r.next ?? "Next"
    }) : m("span")
  );
}
function Ze(e, t, { params: n, list: r, count: o }) {
  r.replaceChildren(...t.items.map(Ft)), "start" in r && (r.start = e.offset + 1), o.textContent = e.text === "" ? "" : Be(t.total, e.text, r);
  let s = e.text === "" ? null : Ye(t.facets, n, r), i = r.closest(".search-body");
  s !== null && (i ?? r.parentElement).prepend(s), i?.classList.toggle("has-facets", s !== null);
  let a = Ve(e, { hasMore: t.hasMore, params: n, dataset: r.dataset });
  a !== null && r.after(a);
}
function Je({ similar: e, didYouMean: t }, { list: n, params: r }) {
  let { dataset: o } = n;
  if (t !== null) {
    let c = o.meant ?? "Did you mean:", l = (u) => u.set("q", t);
    n.before(
      m(
        "p",
        { className: "search-meant" },
        `${c} `,
        H(r, l, { textContent: t })
      )
    );
  }
  if (e.length === 0) return;
  let s = m("h2", {
    textContent: o.similar ?? "Similar words",
    id: "search-similar"
  }), i = m("ol", { className: "results" }, ...e.map(Ft)), a = m("section", { className: "search-similar" }, s, i);
  a.setAttribute("aria-labelledby", "search-similar"), n.parentElement.append(a);
}
async function qe() {
  let e = new URLSearchParams(location.search), { list: t, count: n } = $e(), r = document.querySelector('main input[name="q"]');
  r && (r.value = e.get("q") ?? "");
  try {
    let o = t.dataset.lang ?? null, s = { ...Ot(e, await M.head()), lang: o }, i = await M.search(s);
    Ze(s, i, { params: e, list: t, count: n }), Je(await M.similar(s, i), { list: t, params: e });
  } catch (o) {
    throw n.textContent = t.dataset.failed ?? "Search is not available at the moment.", o;
  }
}
async function lr(e, t) {
  let r = { text: e, filters: { taxonomy: {}, facets: {} }, sort: "relevance", limit: 8, offset: 0, lang: t }, o = await M.search(r), [s, i] = await Promise.all([
    M.similar(r, o),
    Pt(o.items, E(e, (await M.head()).syntax).terms, Nt)
  ]);
  return { ...o, ...s, sections: i };
}
var tn = [...document.querySelectorAll("script[src]")].some(
  ({ src: e }) => e === import.meta.url
);
tn && await qe();
export {
  lr as find
};
