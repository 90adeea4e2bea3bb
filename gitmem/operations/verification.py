"""Operations on the verification of engrams: how one stands, a step, evidence. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, CLI, FLAG, TEXT, Operation, Param

_BOTH = (CLI, ADMIN)
_ITEM = Param("item", TEXT, "id, slug or domain/slug", is_required=True)
_ABOUT = (
    Param(
        "kind",
        TEXT,
        "what the evidence is: observation (default), review, test, run, incident, measurement, document "
        "or counterexample",
        "--kind",
    ),
    Param("domain", TEXT, "where it was seen (default: the domain of the engram)", "--domain"),
    Param("claim", TEXT, "claim of the engram that it rests on: FILE or FILE#L10-L20", "--claim"),
    Param("run", TEXT, "run that it rests on: an id or an address", "--run"),
)
_TERMS = (
    Param("rationale", TEXT, "why; whoever decides gets to read it", "--rationale"),
    Param("propose", FLAG, "only propose it", "--propose"),
    Param("sign", FLAG, "sign the commit with your own Git settings", "--sign"),
)
_SHOW = Operation(
    verb="verification show",
    help="how far an engram is verified, what lacks for the next step, and how far it is borne out as measured",
    example="gitmem verification show use-the-client",
    request="gitmem.answers.verification:ShowVerificationCall",
    target="gitmem.answers.verification:show_verification",
    render="gitmem.render.verification:shown",
    tool="show_verification",
    surfaces=_BOTH,
    params=(_ITEM,),
)
_SET = Operation(
    verb="verification set",
    help="take an engram one step: unverified, plausible, probable, verified; refuted from any of them and back",
    about="plausible needs evidence, probable 2 pieces from 2 domains, verified 3 and 7 days. It lands as a decision "
    "of its own; propose leaves it waiting.",
    example='gitmem verification set use-the-client plausible --evidence "held in the outage of May" --kind incident',
    request="gitmem.answers.verification:SetVerificationCall",
    target="gitmem.answers.verification:set_verification",
    render="gitmem.render.verification:decided",
    tool="set_verification",
    surfaces=_BOTH,
    writes=True,
    decides=True,
    params=(
        _ITEM,
        Param(
            "status",
            TEXT,
            "the step: unverified, plausible, probable, verified or refuted",
            is_required=True,
        ),
        Param("evidence", TEXT, "new evidence, in one sentence; against it where it is refuted", "--evidence"),
        *_ABOUT,
        Param("force", FLAG, "although evidence or days lack; steps are never skipped", "--force"),
        *_TERMS,
    ),
)
_ADD = Operation(
    verb="verification add",
    help="add evidence for an engram, or against it, without a step",
    example='gitmem verification add use-the-client "two services broke without it" --domain payments',
    request="gitmem.answers.verification:AddEvidenceCall",
    target="gitmem.answers.verification:add_evidence",
    render="gitmem.render.verification:decided",
    tool="add_evidence",
    surfaces=_BOTH,
    writes=True,
    decides=True,
    params=(
        _ITEM,
        Param("evidence", TEXT, "what was seen, in one sentence", is_required=True),
        *_ABOUT,
        *_TERMS,
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_SHOW, _SET, _ADD)
