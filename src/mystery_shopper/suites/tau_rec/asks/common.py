"""Common English words: never a misspelt field word, never a value by themselves, and the sign
by which a message in English is told from one in another language."""

from __future__ import annotations

COMMON = frozenset(
    """
    a about above absolutely accept acceptable accepted across action actor actors actual actually
    add added adore adult afraid after again against age ago agree agreed all allow almost alone
    along already also although always am among amount an and another answer answers any anybody
    anyone anything anyway apart appeal appear apply are around arrive as ask asked asking assist
    assistance assistant at audience audit author authors available average avoid aware away back
    bad based be bear beautiful because become been before began begin behind being believe below
    beside best better between beyond big bit blank book books both bowl box break brief briefly
    bring broad brought budget but buy by call called came can candidate candidates card cards care
    careful case catalogue cedes centre certain certainly chance change changed chat check checked
    checking cheers choice choose chosen city clarify clean clear clearly close closest code
    collection colour come comes comfortable coming common company complete confirm consider
    constraint contain content continue correct could count countdown counter countess counting
    countless county couple course cover cream criteria curious current currently customer cut dare
    date day days deal dean dear decide decided decides deciding decode deep definitely delighted
    delivery depend depends describe described description desire desk detail details did different
    difficult direct disc discover discuss disk do does doing done doubt down download downloads
    draft dramatic dream dress drop due during each earlier early easier easily easy edition eight
    either else empty end enjoy enjoyed enough entirely entries entry eras erase especially even
    ever every everybody everyone everything exact exactly example excellent except excited exist
    expect explain explore extra eye facade fact fair family fan far fast father favour favourite
    feel few field fill film films filter final finally find fine finish first fit fits five
    flexible focus follow following for forget form formal formant formats formatted former forms
    forward found four free friend friends from front full fun further gave gear gender gene general
    generally generous genie genius genres gentle gentry genuine german germane get gets getting
    gift give given glad go goes going gone good got grade great greetings group guess guest had
    half hand happen happened happens happy hard hardly has hate have having he hear heard heart
    hello help helpful helps her here hers hi high him his hit hold home hook hope hoping horrid
    hour hours how however hundred hunt i idea ideal if ignore image imagine important impossible in
    include including indeed indicate indication info information input inside instead interest
    interested interesting into invite is issue it item items its itself join just keep kept key kid
    kids kind kindly knew know known lack land languid languish large last lastly late later latest
    laugh lead learn least leave leaving left less let lets level library lie life light like liked
    likely likes limit line list listed little live long look looked looking looks lot lots love
    loved lovely low luck made main make makes making man manage many mark match matches matter
    matters may maybe me mean means median medical mention mentioned message met might mind mine
    minute minutes misery miss missing mister moment month months mood more most mostly mother
    motion move movie movies much must my myself name named narrow nations native nature near nearly
    necessary need needed needs never new next nice night no nobody none nor not note noted notes
    nothing notion novel novels now number numbers object of off offer often oh ok old on once one
    ones only onto open option options or order ordinary organ original other others otherwise ought
    our ours out outside over own page parade pardon part particular particularly party past
    patience people per perfect perfectly perhaps permit person personal pick picked place plain
    plan play please pleased pleasure plenty point popular possible possibly pray prefer preference
    preferences preferred premium present press pretty previous price print printed probably problem
    promise proper proposal propose provide put question questions quick quickly quite radio rank
    rather rating ration read reader reading ready real really reason receive recommend
    recommendation recommendations recommended record records region reject rejected rejoin related
    relax release remember reminder reply request require requirement requirements rest result
    results return right risk rough round rule rules run said same satisfied saw say says search
    searched searching season second section see seem seems seen select send sense sent serve
    service set seven several shall share she shelf short should show side simple simply since
    single sir six size small so some somebody someone something soon sorry sort sound sounds speak
    special specific specify spirit spoke stand start started state station stay steam stick still
    stop story strange stream strict strong stuff style such suggest suggested suggestion
    suggestions suit suits sure surely surprise system take taken takes taking talk taste team tear
    tedium tell ten than thank thanks that the their them then there these they thing things think
    third this those though thought thoughts thousand three through time times title titles to today
    together told tongs tonight too took tool top total touch towards tried trough true truly try
    trying turn two type unclear under understand understood unfortunately unless until up upon us
    use used useful user usual usually various very view village visage visit wait waiting want
    wanted was watch watched way we wear week weekend weeks welcome well went were what whatever
    when where whether which while who whole whom whose why will wish wishes with within without
    woman wonder wonderful wondering word words work works world worry would write written wrong
    yearly yes yesterday yet you young your yours yourself
    """.split()
)
