"use strict";
// Every text of the rows is set as text, never as markup.
const rows = JSON.parse(document.getElementById("rows").textContent);
const list = document.getElementById("list");
const filter = document.getElementById("filter");
const count = document.getElementById("count");
const end = document.getElementById("end");
// So many rows are drawn at a time; the next ones when the end comes into view.
const AT_ONCE = 200;
// Characters of a text that are compared and shown at first.
const LONGEST = 20000;
// Cells of a table of comparison.
const CELLS = 4000000;

const named = (place) => (place.line ? place.path + ":" + place.line : place.path);
for (const row of rows) {
  const parts = [row.id, row.rule, row.kind, row.text, ...row.places.map(named)];
  row.sought = parts.join("\n").toLowerCase();
}
let shown = rows;
let drawn = 0;
let chosen = -1;

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function draw(until) {
  const part = document.createDocumentFragment();
  for (; drawn < Math.min(until, shown.length); drawn++) part.append(drawRow(shown[drawn], drawn));
  list.append(part);
  end.hidden = drawn >= shown.length;
}

function drawRow(row, number) {
  const made = element("article", "row");
  const head = element("button");
  head.type = "button";
  head.setAttribute("aria-expanded", "false");
  const first = row.places.length ? named(row.places[0]) : "";
  head.append(element("span", "words", row.text.slice(0, 300).trim() || first));
  head.append(element("span", "what", row.rule + ": " + row.summary + (row.kind ? ", " + row.kind : "") + " · " + first));
  head.addEventListener("click", () => { choose(number); unfold(number); });
  made.append(head);
  return made;
}

function unfold(number) {
  const made = list.children[number];
  const head = made.firstChild;
  const isOpen = head.getAttribute("aria-expanded") === "true";
  head.setAttribute("aria-expanded", String(!isOpen));
  if (isOpen) made.lastChild.remove();
  else made.append(inside(shown[number]));
}

function inside(row) {
  const made = element("div", "inside");
  const copies = element("ul", "copies");
  const panes = element("div", "panes");
  const reference = row.places.findIndex((place) => place.text === undefined);
  row.places.forEach((place, at) => {
    const item = element("li");
    const button = element("button", "", named(place) + (place.alike || ""));
    button.type = "button";
    button.addEventListener("click", () => compare(row, reference, at, copies, panes));
    item.append(button);
    if (place.note) item.append(element("span", "faint", " in " + place.note));
    copies.append(item);
  });
  if (row.copies > row.places.length) {
    copies.append(element("li", "faint", "and " + (row.copies - row.places.length) + " more"));
  }
  made.append(copies);
  if (row.text) {
    made.append(panes);
    // The first copy that differs, or else the second one.
    const other = row.places.findIndex((place) => place.text !== undefined);
    compare(row, reference, other < 0 ? Math.min(1, row.places.length - 1) : other, copies, panes);
  }
  return made;
}

function compare(row, reference, at, copies, panes) {
  [...copies.querySelectorAll("button")].forEach((button, number) => {
    button.setAttribute("aria-pressed", String(number === at));
  });
  if (!row.text) return;
  const place = row.places[at];
  const text = place.text === undefined ? row.text : place.text;
  const [left, right] = differences(row.text.slice(0, LONGEST), text.slice(0, LONGEST));
  const from = reference < 0 ? "The representative" : named(row.places[reference]);
  panes.replaceChildren(
    pane(from, row.text, left, "del"),
    pane(named(place) + (place.text === undefined ? " (the same tokens)" : place.alike || ""), text, right, "ins"),
  );
}

function pane(title, whole, pieces, mark) {
  const made = element("div");
  made.append(element("h2", "", title));
  const text = element("pre");
  for (const [isEqual, piece] of pieces) text.append(isEqual ? piece : element(mark, "", piece));
  made.append(text);
  if (whole.length > LONGEST) {
    made.append(element("p", "faint", "The first " + LONGEST + " of " + whole.length + " characters."));
  }
  return made;
}

// Words and signs with the white space behind them; white space and case do not count as differences.
const words = (text) => text.match(/([\p{L}\p{N}_]+|[^\p{L}\p{N}_])\s*/gu) || [];
const key = (word) => word.trim().toLowerCase();

// The pieces of two texts, each with whether the other text has it too.
function differences(one, other) {
  if (one === other) return [[[true, one]], [[true, other]]];
  const [a, b] = [words(one), words(other)];
  let before = 0;
  let behind = 0;
  const least = Math.min(a.length, b.length);
  while (before < least && key(a[before]) === key(b[before])) before++;
  while (behind < least - before && key(a[a.length - 1 - behind]) === key(b[b.length - 1 - behind])) behind++;
  const [n, m] = [a.length - before - behind, b.length - before - behind];
  const [inA, inB] = [new Uint8Array(a.length).fill(1), new Uint8Array(b.length).fill(1)];
  inA.fill(0, before, before + n);
  inB.fill(0, before, before + m);
  if ((n + 1) * (m + 1) <= CELLS) {
    // The longest common subsequence, by a table of lengths.
    const [x, y] = [a.slice(before, before + n).map(key), b.slice(before, before + m).map(key)];
    const table = new Uint16Array((n + 1) * (m + 1));
    for (let i = n - 1; i >= 0; i--) {
      for (let j = m - 1; j >= 0; j--) {
        table[i * (m + 1) + j] = x[i] === y[j]
          ? table[(i + 1) * (m + 1) + j + 1] + 1
          : Math.max(table[(i + 1) * (m + 1) + j], table[i * (m + 1) + j + 1]);
      }
    }
    for (let i = 0, j = 0; i < n && j < m; ) {
      if (x[i] === y[j]) { inA[before + i++] = 1; inB[before + j++] = 1; }
      else if (table[(i + 1) * (m + 1) + j] >= table[i * (m + 1) + j + 1]) i++;
      else j++;
    }
  }
  return [joined(a, inA), joined(b, inB)];
}

function joined(parts, isEqual) {
  const pieces = [];
  parts.forEach((part, at) => {
    const last = pieces[pieces.length - 1];
    if (last && last[0] === Boolean(isEqual[at])) last[1] += part;
    else pieces.push([Boolean(isEqual[at]), part]);
  });
  return pieces;
}

function choose(number) {
  if (!shown.length) return;
  const before = list.children[chosen];
  if (before) before.classList.remove("chosen");
  chosen = Math.max(0, Math.min(number, shown.length - 1));
  if (chosen >= drawn) draw(chosen + AT_ONCE);
  const made = list.children[chosen];
  made.classList.add("chosen");
  made.scrollIntoView({ block: "nearest" });
}

function select() {
  const sought = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  shown = sought.length ? rows.filter((row) => sought.every((word) => row.sought.includes(word))) : rows;
  list.replaceChildren();
  drawn = 0;
  chosen = -1;
  draw(AT_ONCE);
  count.textContent = shown.length === rows.length
    ? rows.length + " rows"
    : shown.length + " of " + rows.length + " rows";
}

// The next or the one before of the copies of a row.
function step(by) {
  const made = list.children[chosen];
  const buttons = made ? [...made.querySelectorAll(".copies button")] : [];
  const at = buttons.findIndex((button) => button.getAttribute("aria-pressed") === "true");
  const next = buttons[Math.max(0, Math.min(at + by, buttons.length - 1))];
  if (next) next.click();
}

function theme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
}

const keys = {
  j: () => choose(chosen + 1),
  ArrowDown: () => choose(chosen + 1),
  k: () => choose(chosen - 1),
  ArrowUp: () => choose(chosen - 1),
  g: () => choose(0),
  G: () => choose(shown.length - 1),
  Enter: () => { if (chosen >= 0) unfold(chosen); },
  n: () => step(1),
  p: () => step(-1),
  t: theme,
  "/": () => filter.focus(),
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target === filter) {
    if (event.key === "Escape" || event.key === "Enter") {
      filter.blur();
      choose(0);
      event.preventDefault();
    }
    return;
  }
  // A button that has the focus is pressed by Enter itself.
  const isPressed = event.key === "Enter" && event.target instanceof HTMLButtonElement;
  const act = keys[event.key];
  if (!act || isPressed) return;
  event.preventDefault();
  act();
});
filter.addEventListener("input", select);
document.getElementById("theme").addEventListener("click", theme);
new IntersectionObserver((seen) => {
  if (seen.some((entry) => entry.isIntersecting)) draw(drawn + AT_ONCE);
}, { rootMargin: "600px" }).observe(end);
select();
