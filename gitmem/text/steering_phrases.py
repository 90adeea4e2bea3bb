"""The wordings by which a text tries to steer the tools that read it, in some twenty languages.

Refuses to match anything: ``gitmem.text.steering`` does, on words without case and accents.
"""

# A phrase is a row of groups. A group lists its words, ``*`` stands for any ending; the number before it says how
# many other words may stand between it and the group before. ``-`` before a phrase: said of something that is
# forbidden ("never ignore the rules above") it is harmless.
_BEFORE = "previou*|prior|former|earlier|preceding|above|foregoing|initial|original|existing|old|past|usual|normal"
_RULE = (
    "instruction|instructions|instructed|direction|directions|directive|directives|rule|rules|guideline|guidelines|"
    "guidance|prompt|prompts|command|commands|order|orders|policy|policies|constraint|constraints|restriction|"
    "restrictions|safeguard|safeguards|guardrail|guardrails|programming|training"
)
_ORDERS = (
    "instruction|instructions|directive|directives|guidelines|guidance|prompt|prompts|safeguards|guardrails|programming"
)
_IGNORE = (
    "ignore|ignores|ignoring|disregard|disregards|disregarding|forget|forgets|forgetting|neglect|discard|discards|"
    "discarding|dismiss|abandon|unlearn|overrule|violate|disobey"
)
_OVERRIDE = "override|overrides|overriding|bypass|bypasses|bypassing|circumvent|drop|erase|supersede|supersedes|void"
_FORMER = "previou*|prior|former|earlier|preceding|foregoing|above|old|past|initial|original"
_LAW = (
    "instruction|instructions|rule|rules|guideline|guidelines|guidance|directive|directives|prompt|prompts|constraint|"
    "constraints|restriction|restrictions|policy|policies|safeguards|guardrails|orders|limits|limitations"
)
_ENDED = (
    "void|null|expired|withdrawn|cancelled|canceled|suspended|revoked|lifted|invalid|nullified|ignored|disregarded|"
    "forgotten|dismissed|repealed|overridden|overruled|moot|rescinded"
)
_PERSON = "user|users|human|humans|operator|developer|maintainer|reviewer|owner|anyone|anybody|person|people|team|them"
_SAID = "this|these|it|that"

ENGLISH = (
    f"-{_IGNORE} 4:{_BEFORE} 3:{_RULE}",
    f"-{_IGNORE} 1:all|any|every|your|its|system|developer 1:of|the|your|other|those 0:{_RULE}",
    f"-{_IGNORE} 1:all|any|every|your|its|system|developer 1:{_ORDERS}",
    f"-{_IGNORE} 2:{_RULE} 3:above|before|previously|earlier",
    f"-{_IGNORE} 1:everything|anything|all|whatever 4:above|told|taught|instructed|previously|learned",
    f"-{_IGNORE} 1:everything|anything|all|whatever 3:before 0:this|now|here",
    f"-{_IGNORE} 2:what 0:you 3:told|taught|instructed|asked|learned",
    f"-{_OVERRIDE} 2:previou*|prior|former|earlier|preceding|above|foregoing 2:{_RULE}",
    f"-{_OVERRIDE}|replace|replaces|outrank|outranks|trump|trumps 1:all|any|every|your 2:{_ORDERS}",
    f"-{_IGNORE} 0:your|its 1:{_RULE}",
    f"-{_IGNORE} 1:the|your|all|any 1:system|developer 0:message|messages|note|text",
    f"-{_IGNORE} 2:{_RULE} 4:came|given|stated|provided|received|got|told|written 2:before|above|earlier|"
    "previously|you",
    f"-{_OVERRIDE} 0:all|any 1:existing|your|current 0:{_RULE}",
    f"replace|replaces|replacing 0:all|any|every 1:{_BEFORE} 1:{_RULE}",
    f"{_BEFORE} 2:{_RULE} 3:must|should|can|may|shall|will 0:be 1:ignored|disregarded|forgotten|discarded|"
    "dropped|overridden",
    f"{_BEFORE} 1:{_RULE} 1:ignore|forget|disregard|discard 0:them|these|those|all",
    f"{_RULE} 1:given|from|stated|set|written 0:earlier|before|above|previously "
    "3:replaced|void|ignored|cancelled|overridden|obsolete|invalid|disregarded|forgotten",
    f"{_ORDERS}|rules 1:above|before|earlier|previously 2:do|does 0:not 1:apply|count|bind|matter",
    f"{_BEFORE} 1:{_ORDERS}|rules 0:were|was|are|is 2:test|fake|joke|mistake|error|wrong",
    f"-skip|skipping|overlook|overlooking|reject|scrap|dismiss|abandon 3:{_FORMER} 1:{_LAW}",
    f"whatever|regardless|despite|notwithstanding|contrary 3:{_FORMER} 1:{_LAW}",
    f"free|freed|exempt|exempted|released|unbound|excused 0:from|of 2:{_FORMER}|your 1:{_LAW}",
    f"not|don't|dont|never|needn't 5:follow|apply|obey|heed|comply|respect|observe|honor|honour 2:{_FORMER} 1:{_LAW}",
    f"stop|cease 0:applying|using|respecting|observing 2:{_FORMER} 1:{_LAW}",
    f"{_FORMER} 1:{_LAW} 5:{_ENDED}",
    f"{_FORMER} 1:{_LAW} 3:no 0:longer 2:apply|applies|bind|binding|count|matter|hold|force|effect|valid|active",
    f"{_FORMER} 1:{_LAW} 3:don't|dont|doesn't|do|does 1:apply|count|matter|bind|hold",
    f"{_LAW} 0:before|above|preceding 4:{_ENDED}",
    f"treat|consider|regard|deem 2:{_FORMER} 1:{_LAW} 2:{_ENDED}|obsolete|outdated|gone",
    f"-{_IGNORE} 0:what|whatever 1:{_LAW}",
    f"everything|all 4:above|far|before|earlier|previously 4:{_ENDED}|obsolete|wrong|outdated",
    f"-break|breach|defy|violate 2:{_FORMER} 1:{_LAW}",
    f"-erase|wipe|clear|purge 4:{_FORMER} 1:{_LAW}",
    "answer|obey|listen|respond 0:only 0:to 0:this|me|these",
    "this|these 0:note|message|text 6:overrides|override|supersedes|supersede|outranks|trumps "
    "1:everything|anything|all|any",
    "not|never|don't|dont 0:report|repeat|mention|say 0:this|it|that 0:to 0:anyone|anybody|others",
    "tell|telling 0:nobody|noone",
    "-output|print|dump|reveal|repeat 4:your 0:context 0:window|contents",
    "user|human|maintainer|owner|operator 2:approved|authorized|authorised|consented|agreed 1:everything|all",
    "given|granted|gives|grants 0:permission|approval|consent 0:for|to 0:all|every|any|everything",
    f"{_FORMER} 1:{_LAW} 0:please 0:ignore|disregard|forget|skip",
    f"{_FORMER} 1:{_LAW} 0:can|may|should|must 0:be 0:broken|violated|skipped|bypassed",
    f"{_FORMER} 1:{_LAW} 1:bind|binds|govern|governs 0:you 1:no|not",
    f"no 0:need|reason 0:to 1:obey|follow|heed|apply|respect|read 2:{_FORMER}|your 1:{_LAW}",
    f"do|let 0:away|go 0:with|of 2:{_FORMER} 1:{_LAW}",
    f"-kill|ditch|nuke|trash|annul 2:{_FORMER} 1:{_LAW}",
    "-turn|switch 0:off 1:your|all|every|any 1:safeguards|guardrails|safety|filters|protections|restrictions",
    "-reset|replace|swap 0:your 1:instructions|rules|guidelines|prompt|constraints|directives|policies",
    "not|never|don't|dont 0:mention|reveal|disclose 0:it|this",
    "-copy|include|paste|attach|print|output 1:contents|content|values 0:of 1:env|credentials|secrets|netrc|id_rsa",
    "-read|open|print|cat|paste|include|dump|output 3:aws 0:credentials",
    "-permitted|allowed|okay|safe|fine|authorized|authorised 0:to 0:bypass|skip|ignore|circumvent|disregard "
    "2:review|reviews|approval|approvals|policy|policies|security|sandbox|safety|permissions",
    "-authorise|authorize|permit 0:you 0:to 1:ignore|bypass|skip|override|disregard|push|merge|approve|delete",
    "when|once|after|if 0:you 0:read|load|process|receive|index 0:this|these "
    "2:call|run|execute|send|invoke|delete|approve|ignore|upload|push",
    "not|never|don't|dont 0:reveal|mention|admit|disclose|acknowledge 0:that 0:you 0:saw|read|received|"
    "followed|found|got",
    f"set|put|push|leave|lay|cast 1:{_BEFORE}|all|your 2:{_RULE} 0:aside",
    f"throw|toss|cast 0:out|away|aside 2:{_BEFORE}|your 2:{_RULE}",
    f"pay|paying|give 0:no 0:attention|heed 3:{_RULE}",
    f"opposite 0:of 2:your 2:{_RULE}",
    f"not|never|dont|don't 0:obey|heed 3:{_RULE}",
    f"{_RULE} 4:earlier|above|before|previously 1:can|may|should|must 0:be 1:ignored|disregarded|forgotten",
    f"instead 0:of 2:task|request|job|question|{_ORDERS} 2:you",
    "-authorised|authorized|permitted|cleared|allowed 0:you 0:to 2:push|merge|approve|deploy|delete|"
    "bypass|skip|override",
    "-read|open|print|cat|show|paste|include|dump|output 4:id_rsa|id_ed25519|netrc|shadow",
    f"set|put|push|leave|lay|cast 0:aside 3:{_BEFORE}|all|any|your 3:{_RULE}",
    f"pay|paying|give 0:no 0:attention|heed 4:{_BEFORE}|all|any|your 3:{_RULE}",
    f"-stop|cease|quit 0:following|obeying|heeding 3:{_BEFORE}|all|any|your|the|these|those 2:{_RULE}",
    f"not|never|dont|don't 0:follow|obey|heed 2:{_BEFORE}|all|any|your|other 2:{_RULE}",
    f"{_BEFORE}|your 2:{_ORDERS}|rules 3:void|null|lifted|suspended|revoked|cancelled|canceled|invalid|nullified",
    f"{_BEFORE}|your 2:{_ORDERS}|rules 2:no 0:longer 1:apply|applies|bind|binding|count|matter|hold",
    f"{_BEFORE}|your 2:{_ORDERS}|rules 1:do|does 0:not 1:apply|count|matter|bind",
    f"{_ORDERS}|rules 2:above|before|previously 3:void|null|lifted|suspended|revoked|cancelled|invalid",
    f"none|nothing 1:of 2:{_BEFORE}|your 2:{_ORDERS}|rules 1:apply|applies|count|counts|matter|matters|hold|holds",
    f"treat|consider|regard|deem 2:{_BEFORE} 2:{_RULE} 2:void|null|obsolete|cancelled|invalid|outdated",
    f"not|never|dont|don't|without 0:tell|telling|inform|informing|notify|notifying|alert|alerting 1:{_PERSON} "
    "0:!to|how|which|where|whether|if|when",
    "not|never|dont|don't|without 0:mention|mentioning|reveal|revealing|disclose|disclosing|announce "
    f"1:{_SAID} 4:{_PERSON}",
    "not|never|dont|don't|without 0:mention|mentioning|reveal|revealing|disclose|disclosing|repeat|quote|"
    "show|display|report "
    "1:this|these 1:instruction|instructions|note|message|prompt|directive|rule|rules|step|comment|command",
    "not|never|dont|don't|without 0:let|letting 2:user|human|operator|developer|reviewer|maintainer|"
    "anyone 0:know|notice|see|find",
    f"keep|keeping 0:{_SAID} 1:between|from|to 1:us|yourself|user|human|operator|developer|reviewer",
    "keep|keeping 0:this|these 0:instruction|instructions|note|message|rule|step 2:secret|hidden|confidential|private",
    f"hide|hiding|conceal|concealing 0:{_SAID} 3:from 1:user|human|operator|developer|reviewer|maintainer|anyone",
    "user|human|developer|operator|reviewer|maintainer|nobody 0:must|should|may|need|needs|can|is 0:not|never "
    "1:know|notice|told|informed|aware|suspect|realize|learn|hear",
    "-silently|secretly|covertly|stealthily|discreetly|invisibly|unnoticed|quietly "
    "1:run|execute|send|upload|post|exfiltrate|forward|collect|transmit|leak|approve|append|forward",
    "you 0:must|shall|will|are|have 2:now|immediately|instead "
    "2:run|execute|invoke|call|send|post|upload|download|install|fetch|delete|obey|comply|approve|reveal|output|print",
    "-immediately|urgently|instantly 0:run|execute|eval|send|upload|install|delete "
    "2:following|this|command|script|payload|code|all|contents|secrets|credentials",
    "decode|decoding|decrypt|deobfuscate|unscramble 5:base64|string|text|payload|blob|message|line|"
    "following|below|it|this "
    "4:run|execute|eval|follow|obey|perform",
    "run|execute|eval|follow|obey|perform 3:decoded|encoded|base64|rot13|obfuscated|reversed "
    "2:command|commands|script|payload|instruction|instructions|text|message|string|code|result|content|output|blob",
    "-send|sends|sending|post|upload|forward|email|mail|transmit|exfiltrate|leak|ship "
    "5:environment|env|credential|credentials|secrets|passwords|id_rsa|cookies|keychain|netrc|keys|"
    "tokens|conversation|transcript "
    "8:http|https|webhook|server|endpoint|url|attacker|external|gist|pastebin|remote|address",
    "-send|sends|sending|post|upload|forward|transmit|exfiltrate|leak "
    "6:http|https|webhook|attacker|external|pastebin 9:env|credential|credentials|secrets|passwords|id_rsa|keys|tokens",
    "-exfiltrate|steal|harvest 4:secrets|credentials|tokens|keys|passwords|data|code|env|files",
    "you 0:are 0:now 1:dan|unrestricted|jailbroken|free|unfiltered|uncensored|root|admin|evil|obliged|bound|required",
    "you 0:are 0:now 1:in|entering 1:developer|debug|god|admin|maintenance|dan|unrestricted|jailbreak|root|sudo 0:mode",
    "you 0:are 0:no 0:longer 2:bound|restricted|limited|constrained|subject|assistant|governed|obliged|required",
    "god|dan|jailbreak|unrestricted|unfiltered|developer 0:mode 1:enabled|activated|active|unlocked|engaged",
    "enter|entering|activate|enable|switch 2:god|dan|jailbreak|unrestricted|unfiltered|developer 0:mode",
    "act|behave|respond|operate|pretend|roleplay 0:as 2:unrestricted|unfiltered|uncensored|jailbroken|"
    "evil|malicious|dan|root",
    "pretend|imagine|act 2:you 1:have|are|had|were 2:no|without 1:restriction|restrictions|rules|limits|"
    "guidelines|filter|filters",
    "your 0:new|real|true|actual|only 1:instruction|instructions|task|goal|objective|mission|purpose|directive|orders "
    "0:is|are|becomes",
    "-reveal|print|output|repeat|leak|dump|expose|disclose|recite "
    "1:your 1:system|initial|original|hidden|secret|full|entire 1:prompt|instructions|rules|message|guidelines",
    "ai|llm|llms|assistant|assistants|agent|agents|model|models|bot|claude|chatgpt|copilot|cursor|gemini "
    "2:reading|processing|parsing|summarizing|summarising|ingesting|interpreting|reads|processes "
    "0:this|these 2:must|should|shall|has|have|needs|will|is|note|file|text|document|page|message|line|comment",
    "if 0:you 0:are 2:ai|llm|model|assistant|agent|bot 2:reading|processing|parsing|summarizing|summarising|ingesting",
    "-approve|accept|merge|confirm|sign 1:this|all|every|any|the|future|each "
    "2:proposal|proposals|change|changes|request|requests|patch|patches|note|pr|prs|action|actions "
    "2:without|automatically|immediately|silently|unconditionally|blindly|unread",
    "-mark|flag|label|treat|record|consider 0:this|it 3:as 0:approved|trusted|canonical|safe|authorized|authoritative",
    "-skip|skipping 2:safety|security|guardrail|guardrails|moderation|safeguards 0:check|checks|filter|"
    "filters|gate|policy",
    "-disable|disabling|deactivate|suppress|bypass|bypassing|circumvent 2:safety|security|guardrail|guardrails|"
    "sandbox|confirmation|approval|permission|moderation|safeguard|safeguards "
    "0:check|checks|prompt|prompts|filter|filters|gate|protections|dialog|dialogs|measures|controls|policy|policies",
)


def _both_orders(verbs: str, qualifiers: str, rules: str) -> tuple[str, ...]:
    return f"-{verbs} 5:{qualifiers} 3:{rules}", f"-{verbs} 3:{rules} 3:{qualifiers}"


OTHER_LANGUAGES = (
    *_both_orders(
        "ignorier*|vergiss|vergesst|vergessen|missacht*|ubergeh*|verwirf|verwerf*",
        "vorherig*|bisherig*|fruher*|vorig*|obig*|vorangegangen*|alle|allen|samtlich*|oben",
        "anweisung*|regel*|vorgabe*|richtlinie*|instruktion*|befehl*|anordnung*",
    ),
    "sag|sage|sagen|erzahl*|verrat*|melde 4:nutzer*|benutzer*|anwender*|niemand* 2:nicht*|kein*|davon",
    *_both_orders(
        "ignore|ignorez|ignorer|oublie|oubliez|oublier|neglige*|contourne*",
        "precedent*|anterieur*|dessus|initial*|toutes|toute",
        "instruction*|regle*|consigne*|directive*",
    ),
    "ne 1:dis|dites|parle*|mentionne*|revele*|informe* 1:rien|pas|jamais 4:utilisateur*|humain*|personne",
    *_both_orders(
        "ignora|ignore|ignorad|ignorar|olvida*|omite|omita|descarta*|desestima|desatiende",
        "anterior*|previa*|previo*|todas|todos|precedent*",
        "instruccion*|regla*|norma*|indicacion*|directri*|ordenes",
    ),
    "no 2:digas|diga|informes|informe|menciones|cuentes|reveles|avises 4:usuario*|nadie|humano*",
    *_both_orders(
        "ignora|ignorate|ignorare|ignori|dimentica*|trascura*|scarta*",
        "precedent*|anterior*|tutte|finora|sopra",
        "istruzion*|regol*|direttiv*|indicazion*|ordini",
    ),
    "non 1:dire|dirlo|informare|menzionare|rivelare|avvisare 4:utente|utenti|nessuno",
    *_both_orders(
        "ignore|ignora|ignorar|esqueca*|esquece|desconsider*|descarte",
        "anterior*|previa*|todas|todos|acima",
        "instruc*|regra*|norma*|diretri*|ordens",
    ),
    "nao 1:diga|conte|informe|mencione|revele|avise 4:usuari*|utilizador*|ninguem",
    *_both_orders(
        "negeer|negeren|vergeet|vergeten",
        "vorige|eerdere|voorgaande|alle|bovenstaande",
        "instructie*|regels|aanwijzing*|richtlijn*|opdracht*",
    ),
    "vertel 2:gebruiker|niemand 2:niets|niet|hier*",
    *_both_orders(
        "zignoruj|ignoruj|zapomnij|pomin|odrzuc",
        "poprzedni*|wczesniejsz*|wszystki*|powyzsz*",
        "instrukcj*|polecen*|zasad*|regul*|wytyczn*",
    ),
    *_both_orders(
        "ignorera|glom|ignorer|glem",
        "tidigare|foregaende|alla|alle|ovanstaende|tidligere|forrige",
        "instruktion*|instruks*|regler*|anvisning*|riktlinj*|retningslinj*",
    ),
    "onceki|tum|yukaridaki|eski 2:talimat*|kural*|yonerge*|komut* 4:yok|gormezden|unut*|dikkate|ihmal|yoksay*",
    *_both_orders(
        "игнорир*|проигнорир*|забуд*|отмени*|ігнор*|проігнор*",
        "предыдущ*|прежн*|все|всех|ранн*|выше*|попередн*|\u0443\u0441\u0456|\u0432\u0441\u0456",
        "инструкц*|правил*|указани*|команд*|інструкц*|вказівк*",
    ),
    "не 1:говори*|сообща*|рассказыв*|упомина*|показыв* 3:пользовател*|человек*|никому|оператор*",
    *_both_orders("تجاهل*|انس|اهمل", "السابق*|جميع|كل|اعلاه|كافة", "التعليمات|القواعد|الاوامر|الارشادات|تعليمات"),
    *_both_orders("התעלם*|שכח*", "הקודמ*|כל|לעיל", "הוראות|ההוראות|כללים|הכללים|ההנחיות"),
    "دستور*|قوانین|قواعد 2:قبلی|پیشین|بالا 4:نادیده|فراموش|کنار",
    "पिछले|पिछली|सभी|पूर्व 3:निर्देश*|नियम* 4:अनदेखा|नज़रअंदाज|नजरअंदाज|भूल*|उपेक्षा",
    "bo 0:qua 2:moi|tat|cac|toan|nhung 4:huong|chi|quy|lenh",
    "abaikan|lupakan 3:instruksi*|aturan*|perintah* 2:sebelumnya|sebelum|diatas",
)

# Scripts without spaces, as patterns over text without case: who is told to forget what, and to hide it from whom.
UNSPACED = (
    "(?:忽略|无视|無視|忽視|忘记|忘掉|忘記|不要理会|不用理会|不用管|抛开|丢弃)[^。!?\n]{0,12}"
    "(?:之前|以前|先前|上面|上述|以上|此前|前面|所有|一切|全部|原有|原来|既有|过去)[^。!?\n]{0,12}"
    "(?:指令|指示|规则|規則|说明|提示|要求|命令|准则|约束|设定)",
    "(?:不要|切勿|请勿|别|不必|無需|无需)[^。!?\n]{0,4}(?:告诉|告知|通知|提及|透露|告訴)[^。!?\n]{0,8}"
    "(?:用户|用戶|使用者|人类|开发者|任何人)",
    "(?:必须|要|请)(?:立即|马上|立刻)(?:运行|执行|发送|上传|安装)",
    "(?:以前|前|上記|従来|先|全て|全|既存|これまで|すべて|今まで)[^。\n]{0,12}"
    "(?:指示|命令|ルール|規則|プロンプト|指令|ガイドライン|制約|設定)[^。\n]{0,10}(?:無視|忘れ|破棄|従わ|捨て)",
    "(?:ユーザー|利用者|人間|開発者|誰)[^。\n]{0,8}(?:伝え|知らせ|教え|言わ|明かさ)[^。\n]{0,3}(?:ない|なく|ず|るな|てはいけ)",
    "(?:이전|앞선|기존|모든|위의|지금까지|종전|예전)[^.\n]{0,12}(?:지시|명령|규칙|지침|프롬프트|설정)[^.\n]{0,12}"
    "(?:무시|잊|따르지|버리|폐기)",
    "(?:사용자|유저|아무)[^.\n]{0,8}(?:알리|말하|언급|보고하)[^.\n]{0,3}(?:지 ?마|지 ?않)",
    "(?:เพิกเฉย|ละเว้น|ไม่ต้องสนใจ|ลืม)[^\n]{0,20}(?:คําสั่ง|กฎ|คําแนะนํา)",
)
