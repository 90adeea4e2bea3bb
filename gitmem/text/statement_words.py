"""The words that make a sentence an order, a ban or a permission, and those that add nothing. Refuses to read texts.

English, with the commonest negations of other languages: an order is compared with its own words, whatever they are.
"""

from functools import cache


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# What several words together say; the longest wins. The signs on the right are read by ``text.statements``.
_PHRASES = """
make sure to=@must|make sure that=@must|make sure=@must|be sure to=@must|remember to=@must|ensure that=@must
do not forget to=@must|never forget to=@must|need to=@must|needs to=@must|have to=@must|has to=@must
do not hesitate to=@drop|not only=@drop|not just=@drop|not necessarily=@drop|not yet=@drop|not always=@drop
do not worry=@drop|not sure=@drop|not so much=@drop|not until=@drop|not all=@drop|not every=@drop|not both=@drop
do not need to=@optional|does not need to=@optional|no need to=@optional|there is no need to=@optional
need not=@optional|do not have to=@optional
does not have to=@optional|not required to=@optional|not necessary to=@optional
it is not necessary to=@optional|whether or not=whether|or not=|if not=@drop|is it=@drop|are there=@drop
it is ok to=|it is okay to=|it is fine to=|it is allowed to=|it is possible to=|feel free to=|you are allowed to=
refrain from=avoid|stay away from=avoid|steer clear of=avoid|stop using=avoid|do not ever=never
turn on=enable|turn off=disable|switch on=enable|switch off=disable
go with=use|stick to=use|stick with=use|opt for=use|rely on=use|make use of=use
instead of=@instead|rather than=@instead|in place of=@instead|as opposed to=@instead|in preference to=@instead
no more than=@max|not more than=@max|not exceed=@max|no longer than=@max|at most=@max|up to=@max|less than=@max
fewer than=@max|maximum of=@max|max of=@max|or less=@max|or fewer=@max|or below=@max|not longer than=@max
at least=@min|no less than=@min|no fewer than=@min|more than=@min|minimum of=@min|min of=@min|or more=@min
or newer=@min|or later=@min
or higher=@min|or above=@min|or greater=@min|and up=@min|and above=@min|and newer=@min|and later=@min
no longer=not|by default=@default
snake case=snake_case|camel case=camelcase|pascal case=pascalcase|kebab case=kebab-case
upper case=uppercase|lower case=lowercase|snake-case=snake_case|camel-case=camelcase|pascal-case=pascalcase
node.js=node|postgresql=postgres|per cent=percent|es modules=esm|es module=esm|time zone=timezone
"""
CONTRACTIONS = (("can't", "can not"), ("cannot", "can not"), ("won't", "will not"), ("n't", " not"), ("let's", ""))
NEGATIONS = _set("not never nor no nicht nie niemals kein keine keinen jamais pas nunca jamas nao non mai")
STRONG = _set("always must shall @must ensure immer muss toujours siempre sempre")
# Words that carry no meaning of their own in an order.
FILLERS = _set("""
    instead a an the this that's these those each every all our your its their his her any some such please just
    simply also only you we i they it should can could may might will would do does did shall must strictly
    absolutely ever really very too so quite always of and or @must ensure immer muss toujours siempre sempre bitte
    ne to's then there here etc generally typically usually normally explicitly
""")
DETERMINERS = _set("any all each every some such one no this")
BE = _set("is are be been being was were am gets get")
AUXILIARIES = (
    BE
    | NEGATIONS
    | _set("""
    do does did can could may might will would should shall must ought need and or but so then please also you we they
""")
)
# Labels that name no subject, as stems.
NO_SUBJECT = frozenset(
    [
        "rul",
        "not",
        "important",
        "tip",
        "warn",
        "caution",
        "hint",
        "do",
        "remember",
        "critical",
        "constraint",
        "guidelin",
    ]
)
# Where a phrase begins that says when, where or how the rest holds.
CONDITIONS = _set("""
    in on at for from to with without by via through into onto as during before after between among around inside
    outside within under above below over across per against until unless if when whenever while where except which
    that who than like about upon toward towards alongside given depending whether whose using during
""")
REASONS = _set("because since so otherwise thus hence therefore")
BOUNDS = {
    "under": "@max",
    "below": "@max",
    "within": "@max",
    "max": "@max",
    "maximum": "@max",
    "<": "@max",
    "<=": "@max",
    "over": "@min",
    "above": "@min",
    "min": "@min",
    "minimum": "@min",
    ">": "@min",
    ">=": "@min",
}
BANNED = _set("forbidden prohibited banned disallowed discouraged deprecated verboten interdit prohibido")
DEMANDED = _set("required mandatory compulsory obligatory")
LEFT_OPEN = frozenset(["optional"])
ALLOWED = _set("allowed permitted fine ok okay acceptable encouraged recommended preferred")
USE = _set("use uses using used utilize utilise employ adopt prefer prefers choose favor favour preferred")
# What may begin a clause behind a comma or an "and"; anything else there goes on with a list.
VERBS = _set("""
    use prefer avoid add allow apply ask assume build call catch change check choose commit compute configure copy
    create declare define delete deploy describe disable document do drop edit enable ensure escape expose extract
    fix follow format generate give handle hide ignore implement import include indent inherit initialize inject
    install invoke keep leave limit link list load lock log make mark merge mix mock modify move name nest open
    order pass pin place prefix publish pull push put raise read refactor reject release remove rename render repeat
    replace request require reset resolve restart retry return reuse run save select send separate set ship show
    skip sort specify split squash start stop store suppress swallow switch test throw touch trust try type update
    upgrade validate verify wait wrap write
""")
OPENERS = VERBS | NEGATIONS | STRONG | frozenset(["you", "we", "must", "should", "may", "can", "do", "please", "@drop"])
# The sign or word at the start of a line that turns what follows into an example of what is wrong.
BAD_SIGNS = ("\u274c", "\u2717", "\u2718", "\u2716", "\u26d4", "\U0001f6ab", "\U0001f44e")
BAD_LEADS = _set("""
    bad wrong incorrect avoid don't never antipattern antipatterns anti-pattern anti-patterns mistakes pitfalls
    forbidden prohibited not banned disallowed problem problems donts don'ts smell smells rejected before
""")
_IRREGULAR = {
    "written": "write",
    "kept": "keep",
    "built": "build",
    "sent": "send",
    "thrown": "throw",
    "made": "make",
    "given": "give",
    "taken": "take",
    "chosen": "choose",
    "done": "do",
    "held": "hold",
    "shown": "show",
    "has": "have",
    "having": "have",
    "indices": "index",
    "twice": "2",
    "indentation": "indent",
    "naming": "name",
}
_VOWELS = frozenset("aeiouy")
_NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
# Written in Chinese and Japanese, where no blank parts the words.
UNSPACED = (
    ("\u3057\u306a\u3044\u3067\u304f\u3060\u3055\u3044", " not "),
    ("\u3057\u3066\u306f\u3044\u3051\u307e\u305b\u3093", " not "),
    ("\u3057\u3066\u304f\u3060\u3055\u3044", " always "),
    ("\u4e0d\u8981", " not "),
    ("\u4e0d\u5f97", " not "),
    ("\u4e0d\u80fd", " not "),
    ("\u4e0d\u5e94", " not "),
    ("\u7981\u6b62", " not "),
    ("\u4e25\u7981", " not "),
    ("\u8bf7\u52ff", " not "),
    ("\u5207\u52ff", " not "),
    ("\u907f\u514d", " not "),
    ("\u5fc5\u987b", " always "),
    ("\u5e94\u8be5", " always "),
    ("\u59cb\u7ec8", " always "),
    ("\u603b\u662f", " always "),
    ("\u8bf7", " always "),
)


@cache
def phrases() -> dict[str, list[tuple[tuple[str, ...], list[str]]]]:
    """First word -> (the whole phrase, what it reads as), the longest first."""
    table: dict[str, list[tuple[tuple[str, ...], list[str]]]] = {}
    for row in _PHRASES.replace("\n", "|").strip("|").split("|"):
        written, _, read = row.partition("=")
        whole = tuple(written.split())
        table.setdefault(whole[0], []).append((whole, read.split()))
    for rows in table.values():
        rows.sort(key=lambda row: -len(row[0]))
    return table


@cache
def stem(word: str) -> str:
    """One form for the forms of a word: plurals, -ing and -ed; code and other languages mostly stay as they are."""
    known = _IRREGULAR.get(word, word)
    if known in _NUMBERS:
        return str(_NUMBERS.index(known))
    if known in USE:
        return "use"
    if not known.isalpha() or not known.isascii() or len(known) < 4:
        return known
    return _without_ending(_singular(known))


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _without_ending(word: str) -> str:
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and not _VOWELS.isdisjoint(rest):
            word = rest
            break
    word = word.removesuffix("e")
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word
