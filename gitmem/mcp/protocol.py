"""The MCP server itself, on the SDK's low-level server. Refuses to know any operation by name."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from gitmem import __version__
from gitmem.answers.reading import SNAPSHOT_PREFIX
from gitmem.answers.session import Session
from gitmem.mcp import calls, coerce, prompts, schema
from gitmem.mcp.calls import Caller, Desk
from gitmem.mcp.results import Answer
from gitmem.mcp.roots import folder_of
from gitmem.mcp.server import ServeCall
from gitmem.mcp.tending import tend
from gitmem.mcp.transport import Incoming, Outgoing, connect
from gitmem.mcp.wire import Wire
from gitmem.operations import find
from gitmem.operations.table import Operation
from gitmem.record import field, record, state

Context = ServerRequestContext[None]
_SCHEME = "gitmem"
_SHOWN = 80
_CALLS_AT_ONCE = 8
_ROOTS_SECONDS = 2.0
_MARKDOWN = "text/markdown"


@record
class Template:
    """A resource that an operation answers."""

    about: str
    verb: str
    arguments: Callable[[str], dict[str, object]]


_TEMPLATES = {
    "engram": Template("one engram in full, by id or slug", "get", lambda item: {"items": [item], "tier": "content"}),
    "snapshot": Template("the overview of a snapshot", "overview", lambda item: {"at": f"{SNAPSHOT_PREFIX}{item}"}),
}


def run(wire: Wire, session: Session, call: ServeCall) -> None:
    """Serves one client until it leaves. A start other than the working folder was named by the user and decides."""
    anyio.run(_serve, wire, session, call)


async def _serve(wire: Wire, session: Session, call: ServeCall) -> None:
    start = session.start
    conversation = Conversation(
        desk=Desk(call.surface, session.engine, session.home, session.max_files),
        tools=schema.tools(call.surface, call.tools),
        start=start,
        is_named=start != Path.cwd(),
        turns=anyio.CapacityLimiter(_CALLS_AT_ONCE),
    )
    server = server_of(conversation)
    options = server.create_initialization_options()

    async def serve(incoming: Incoming, outgoing: Outgoing) -> None:
        async with anyio.create_task_group() as beside:
            beside.start_soon(tend, conversation.is_idle, conversation.where)
            await server.run(incoming, outgoing, options)
            beside.cancel_scope.cancel()

    await connect(wire, serve)


@state
class Conversation:
    """One client: what it is offered, and the folders that it works in. ``folders`` is None until it was asked."""

    desk: Desk
    tools: Mapping[str, Operation]
    start: Path
    is_named: bool
    turns: anyio.CapacityLimiter
    asking: anyio.Lock = field(default_factory=anyio.Lock)
    folders: list[Path] | None = None

    async def answer(self, session: ServerSession, operation: Operation, arguments: Mapping[str, object]) -> Answer:
        """Runs in a thread of its own; a call that the client gives up ends there unheard."""
        folders = await self._folders(session)
        job = partial(calls.answer, self.desk, operation, arguments, Caller(folders, _name(session)))
        return await anyio.to_thread.run_sync(job, abandon_on_cancel=True, limiter=self.turns)

    def is_idle(self) -> bool:
        return not self.turns.borrowed_tokens

    def where(self) -> Path:
        return self.folders[0] if self.folders and not self.is_named else self.start

    async def _folders(self, session: ServerSession) -> list[Path]:
        """The folder that the user named, else the client's roots, else the working folder."""
        if self.is_named:
            return [self.start]
        async with self.asking:
            if self.folders is None:
                self.folders = await _roots(session)
            return self.folders or [self.start]


def _name(session: ServerSession) -> str:
    """What the client calls itself; the person in whose name it works is the one whom Git knows."""
    told = session.client_params
    return told.client_info.name if told is not None else ""


async def _roots(session: ServerSession) -> list[Path]:
    can = session.client_capabilities
    if can is None or can.roots is None or not session.can_send_request:
        return []
    try:
        with anyio.fail_after(_ROOTS_SECONDS):
            found = await session.send_request(types.ListRootsRequest(), types.ListRootsResult)
    except (TimeoutError, MCPError, ValidationError):
        return []
    return [folder for root in found.roots if (folder := folder_of(str(root.uri)))]


def server_of(conversation: Conversation) -> Server[None]:
    """The SDK's server with our answers; its tracing is switched off, since nothing here would read it."""
    tools = Tools(conversation)
    texts = Texts(conversation)
    server: Server[None] = Server(
        prompts.NAME,
        version=__version__,
        title=prompts.NAME,
        instructions=prompts.instructions(conversation.tools),
        lifespan=_nothing,
        on_list_tools=tools.list,
        on_call_tool=tools.call,
        on_list_prompts=texts.list_prompts,
        on_get_prompt=texts.get_prompt,
        on_list_resources=texts.list_resources,
        on_list_resource_templates=texts.list_templates,
        on_read_resource=texts.read,
    )
    server.middleware.clear()
    server.add_notification_handler("notifications/roots/list_changed", types.NotificationParams, tools.forget_roots)
    return server


@asynccontextmanager
async def _nothing(_server: Server[None]) -> AsyncIterator[None]:
    yield


@record
class Tools:
    conversation: Conversation

    async def list(self, _context: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        rows = [types.Tool.model_validate(schema.tool(row)) for row in self.conversation.tools.values()]
        return types.ListToolsResult(tools=rows)

    async def call(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        operation = self.conversation.tools.get(params.name)
        if operation is None:
            known = ", ".join(self.conversation.tools)
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name[:_SHOWN]!r}; there is: {known}")
        found = await self.conversation.answer(context.session, operation, params.arguments or {})
        content: list[types.ContentBlock] = [types.TextContent(text=found.text)]
        return types.CallToolResult(content=content, structured_content=found.structure, is_error=found.is_error)

    async def forget_roots(self, _context: Context, _params: types.NotificationParams | None) -> None:
        self.conversation.folders = None


@record
class Texts:
    """Prompts and resources."""

    conversation: Conversation

    async def list_prompts(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        return types.ListPromptsResult(
            prompts=[_listed(row) for row in prompts.prompts(self.conversation.tools).values()]
        )

    async def get_prompt(self, _context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        known = prompts.prompts(self.conversation.tools)
        prompt = known.get(params.name)
        if prompt is None:
            raise MCPError(
                types.INVALID_PARAMS, f"Unknown prompt: {params.name[:_SHOWN]!r}; there is: {', '.join(known)}"
            )
        names = coerce.texts(prompt.argument.name, (params.arguments or {}).get(prompt.argument.name, ""))
        if not names:
            raise MCPError(types.INVALID_PARAMS, f"{prompt.name} needs {prompt.argument.name}: {prompt.argument.help}")
        said = types.PromptMessage(role="user", content=types.TextContent(text=prompt.filled(names)))
        return types.GetPromptResult(description=prompt.help, messages=[said])

    async def list_resources(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        about = "how to work with gitmem: a session, reading an answer, budgets, errors"
        row = types.Resource(uri=prompts.GUIDE_URI, name="guide", title="Guide", description=about, mime_type=_MARKDOWN)
        return types.ListResourcesResult(resources=[row])

    async def list_templates(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        rows = [
            types.ResourceTemplate(
                uri_template=f"{_SCHEME}://{name}/{{id}}", name=name, description=row.about, mime_type=_MARKDOWN
            )
            for name, row in _TEMPLATES.items()
        ]
        return types.ListResourceTemplatesResult(resource_templates=rows)

    async def read(self, context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        text = prompts.guide() if params.uri == prompts.GUIDE_URI else await self._read(context, params.uri)
        row = types.TextResourceContents(uri=params.uri, mime_type=_MARKDOWN, text=text)
        return types.ReadResourceResult(contents=[row])

    async def _read(self, context: Context, uri: str) -> str:
        parts = urlsplit(uri)
        template = _TEMPLATES.get(parts.netloc) if parts.scheme == _SCHEME else None
        item = unquote(parts.path).strip("/")
        operation = find(template.verb) if template else None
        if template is None or operation is None or not item:
            raise MCPError(types.INVALID_PARAMS, f"Unknown resource: {uri[:_SHOWN]!r}", {"uri": uri[:_SHOWN]})
        found = await self.conversation.answer(context.session, operation, template.arguments(item))
        if found.is_error:
            raise MCPError(types.INVALID_PARAMS, found.text, found.structure)
        return found.text


def _listed(prompt: prompts.Prompt) -> types.Prompt:
    argument = types.PromptArgument(name=prompt.argument.name, description=prompt.argument.help, required=True)
    return types.Prompt(name=prompt.name, title=prompt.title, description=prompt.help, arguments=[argument])
