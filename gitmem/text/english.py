"""English beside its regular endings: words that ask and join, and forms that no rule of a stemmer reaches.

Refuses to cut or to stem a text.
"""

# What a question is made of and what no answer is found by.
_STOP = (
    "a about above after again against all also am an and any are aren as at be because been before being "
    "below between both but by can could did didn do does doesn doing don done down during each few for from "
    "further had has have having he her here hers herself him himself his how i if in into is isn it its "
    "itself just ll may me might more most must my myself no nor not of off on once only or other our ours "
    "out over own re s same shall she should so some such t than that the their theirs them themselves then "
    "there these they this those through to too under until up us ve very was wasn we were what when where "
    "which while who whom whose why will with would you your yours yourself "
)
STOP_WORDS = frozenset(_STOP.split())
# A line of forms, the first of which stands for all.
_IRREGULAR = (
    "be am are is was were been being; go went gone; do did done does; have had has; write wrote written; buy "
    "bought; take took taken; make made; feel felt; meet met; get got gotten; give gave given; find found; see "
    "saw seen; come came; become became; begin began begun; break broke broken; bring brought; build built; "
    "catch caught; choose chose chosen; draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten; "
    "fall fell fallen; feed fed; fight fought; fly flew flown; forget forgot forgotten; forgive forgave "
    "forgiven; freeze froze frozen; grow grew grown; hang hung; hear heard; hide hid hidden; hold held; keep "
    "kept; know knew known; lay laid; lead led; leave left; lend lent; lose lost; mean meant; overcome "
    "overcame; override overrode overridden; pay paid; ride rode ridden; ring rang rung; rise rose risen; run "
    "ran; say said; sell sold; send sent; shake shook shaken; shine shone; shoot shot; show showed shown; sing "
    "sang sung; sink sank sunk; sit sat; sleep slept; speak spoke spoken; spend spent; stand stood; steal stole "
    "stolen; stick stuck; strike struck; swear swore sworn; swim swam swum; teach taught; tear tore torn; tell "
    "told; think thought; throw threw thrown; understand understood; wake woke woken; wear wore worn; win won; "
    "bind bound; bend bent; bite bit bitten; blow blew blown; creep crept; deal dealt; dig dug; dream dreamt; "
    "flee fled; learn learnt; light lit; seek sought; shrink shrank shrunk; slide slid; spin spun; spring "
    "sprang sprung; sweep swept; undo undid undone; rebuild rebuilt; rewrite rewrote rewritten; withdraw "
    "withdrew withdrawn; child children; man men; woman women; person people; mouse mice; foot feet; tooth "
    "teeth; life lives; wife wives; knife knives; leaf leaves; half halves; shelf shelves; self selves; index "
    "indices; vertex vertices; matrix matrices; datum data; criterion criteria; good better best; bad worse "
    "worst "
)
BASE_FORMS = {form: forms[0] for forms in map(str.split, _IRREGULAR.split(";")) for form in forms[1:]}
