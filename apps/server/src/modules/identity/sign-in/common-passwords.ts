/**
 * Passwords of 12 characters and more that attackers try first. Long common passwords are short ones with something
 * around them, so the list is made of those parts instead of thousands of lines.
 */

/** The words behind most leaked passwords. */
const STEMS = [
  "password",
  "passwort",
  "passw0rd",
  "p@ssword",
  "p@ssw0rd",
  "pa$$word",
  "motdepasse",
  "contrasena",
  "welcome",
  "willkommen",
  "letmein",
  "changeme",
  "default",
  "secret",
  "admin",
  "administrator",
  "adminadmin",
  "root",
  "qwerty",
  "qwertz",
  "azerty",
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "1q2w3e4r",
  "1q2w3e4r5t",
  "1qaz2wsx",
  "qazwsx",
  "iloveyou",
  "sunshine",
  "princess",
  "football",
  "baseball",
  "basketball",
  "superman",
  "batman",
  "dragon",
  "monkey",
  "master",
  "michael",
  "jennifer",
  "jordan",
  "charlie",
  "shadow",
  "whatever",
  "trustno1",
  "starwars",
  "computer",
  "internet",
  "samsung",
  "google",
  "facebook",
  "summer",
  "winter",
  "spring",
  "autumn",
  "january",
  "february",
  "monday",
  "freedom",
  "liverpool",
  "chelsea",
  "arsenal",
  "accord",
  "test",
  "testtest",
  "demo",
  "guest",
  "user",
  "login",
  "company",
  "abc",
  "abcd",
  "abcdef",
  "abcdefgh",
  "correcthorsebatterystaple",
  "mustang",
  "access",
  "hello",
  "helloworld",
  "flower",
] as const;

const STEM_SET: ReadonlySet<string> = new Set(STEMS);
const ROWS = [
  "01234567890123456789",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjklyxcvbnm",
];
/** Forwards and backwards. */
const SEQUENCES = ROWS.flatMap((row) => [row, row.split("").toReversed().join("")]);

/** `text` in lower case. */
export function isCommonPassword(text: string): boolean {
  if (isSequence(text) || isRepetition(text)) return true;
  // password2024!, 123password123, welcome1234567
  const bare = text.replace(/^[^a-z@$]*\d*[^a-z@$]*/, "").replace(/[^a-z]+$/, "");
  const plain = unleet(text).replace(/[^a-z]/g, "");
  return isExtended(text) || [bare, plain, text].some((part) => STEM_SET.has(part) || isPair(part));
}

/** A long stem with a few more keys: 1q2w3e4r5t6y. */
function isExtended(text: string): boolean {
  return STEMS.some((stem) => stem.length >= 8 && text.length - stem.length <= 4 && text.includes(stem));
}

/** Two stems in a row: adminpassword, welcomepassword. */
function isPair(text: string): boolean {
  return STEMS.some((stem) => text.startsWith(stem) && STEM_SET.has(text.slice(stem.length)));
}

function isSequence(text: string): boolean {
  const pieces = text.match(/[a-z]+|\d+|[^a-z\d]+/g) ?? [];
  return pieces.every((piece) => piece.length >= 3 && SEQUENCES.some((row) => row.includes(piece)));
}

/** abcabcabcabc, hellohellohello */
function isRepetition(text: string): boolean {
  return /^(.{1,6})\1+$/.test(text);
}

const LEET: Record<string, string> = { "0": "o", "1": "l", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", $: "s" };
const unleet = (text: string) => text.replace(/[013457@$]/g, (character) => LEET[character] ?? character);
