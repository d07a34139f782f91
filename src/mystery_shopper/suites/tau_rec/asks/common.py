"""Common English words: never a misspelt field word, never a value by themselves, and the sign
by which a message in English is told from one in another language."""

from __future__ import annotations

COMMON = frozenset(
    """
a about above absolutely accept acceptable accepted across action actual actually add added adore
afraid after again against age ago agree agreed all allow almost alone along already also although
always am among amount an and another answer answers any anybody anyone anything anyway apart appeal
appear apply are around arrive as ask asked asking assist assistance assistant at available average
avoid aware away back bad based be beautiful because become been before began begin behind being
believe below beside best better between beyond big bit blank book books both box break brief briefly
bring broad brought budget but buy by call called came can candidate candidates care careful case
catalogue centre certain certainly chance change changed chat check checked checking cheers choice
choose chosen clarify clear clearly close closest collection come comes comfortable coming common
complete confirm consider constraint contain content continue correct could count counter county couple
course cover criteria curious current currently customer cut dare date day days deal dear decide
decided deep definitely delighted delivery depend depends describe described description desire
detail details did different difficult direct discover do does doing done doubt down draft drop due
during each earlier early easier easily easy either else empty end enjoy enjoyed enough entirely entry
especially even ever every everybody everyone everything exact exactly example excellent except excited
exist expect explain explore extra eye fact fair family fan far fast favour favourite feel few field
fill film films filter final finally find fine finish first fit fits five flexible focus follow
following for forget form formal former forward found four free friend friends from full fun further
gave general generally gentle gene genie get gets getting gift give given glad go goes going gone good
got great greetings group guess guest had half hand happen happened happens happy hard hardly has hate
have having he hear heard heart hello help helpful helps her here hers hi high him his hit hold home
hope hoping hour hours how however hundred hunt i idea ideal if ignore imagine important impossible in
include including indeed indicate indication info information input inside instead interest interested
interesting into invite is issue it item items its itself join just keep kept key kid kids kind kindly
knew know known lack land large last lastly late later latest laugh lead learn least leave leaving left
less let lets level library lie life light like liked likely likes limit line list listed little live
long look looked looking looks lot lots love loved lovely low luck made main make makes making man many
mark match matches matter matters may maybe me mean means mention mentioned message met might mind mine
minute minutes miss missing moment month months mood more most mostly mother move movie movies much must
my myself name named narrow near nearly necessary need needed needs never new next nice night no nobody
none nor not note noted notes nothing novel novels now number numbers object of off offer often oh ok old on once
one ones only onto open option options or order ordinary original other others otherwise ought our
ours out outside over own page pardon part particular particularly party past patience people per
perfect perfectly perhaps person personal pick picked place plain plan play please pleased pleasure
plenty point popular possible possibly pray prefer preference preferences preferred present pretty
previous price probably problem promise proper proposal propose provide put question questions quick
quickly quite rank rather rating read reader reading ready real really reason receive recommend
recommendation recommendations recommended record records rejected related relax remember reminder
reply request require requirement requirements rest result results return right round rule rules run
said same satisfied saw say says search searched searching second section see seem seems seen select
send sense sent serve service set seven several shall share she shelf short should show side simple
simply since single sir six size small so some somebody someone something soon sorry sort sound sounds
speak special specific specify spirit spoke stand start started state stay stick still stop story strict
strong stuff style such suggest suggested suggestion suggestions suit suits sure surely surprise system
take taken takes taking talk taste team tell ten than thank thanks that the their them then there these
they thing things think third this those though thought thoughts thousand three through time times title
titles to today together told tonight too took tool top total touch towards tried true truly try trying
turn two type unclear under understand understood unfortunately unless until up upon us use used useful
user usual usually various very view visit wait waiting want wanted was watch watched way we week weekend
weeks welcome well went were what whatever when where whether which while who whole whom whose why will
wish wishes with within without woman wonder wonderful wondering word words work works world worry would
write written wrong yes yesterday yet you young your yours yourself
action across actor actors adult author authors card cards city code colour company counting countless
countdown countess decode deciding decides eras erase edition genuine gender generous genres genius
german germane gentry entry entries eight either father form forms formats formatted front grade
information languid languish manage message nations native notion nature nations ration station motion
perfect perhaps permit printed print reason region reject rejoin release season stream strange steam
dream cream dramatic horrid mister misery yearly
hear dear bear wear tear gear near audit radio cedes facade parade formant
visage village image organ original tongs
audience clean dean download downloads bowl disk disc discuss desk risk book hook look rough trough
dress press premium tedium medical median
""".split()
)
