<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Vantage</name>
    <message>
        <source>
%1   %2 %   %3 %</source>
        <translation>
%1   %2 %   %3 %</translation>
    </message>
    <message>
        <source>
%1 sees the board at no time of the others: it stays.</source>
        <translation>
%1 sieht die Tafel zu keiner Zeit der anderen: bleibt unverändert.</translation>
    </message>
    <message>
        <source>
A change makes the stage learn again.</source>
        <translation>
Eine Änderung lässt die Stufe neu lernen.</translation>
    </message>
    <message>
        <source>
Offsets are applied, too, if ticked: %1.</source>
        <translation>
Der Versatz wird auch übernommen, wenn angehakt: %1.</translation>
    </message>
    <message>
        <source>
Offsets are applied, too; the region is fitted again.</source>
        <translation>
Versätze werden mit übernommen; das Gebiet wird neu angepasst.</translation>
    </message>
    <message>
        <source>
Offsets are not applied unless ticked: the clip of %1 is not its own video. They are the recording's only if all clips begin together with the videos, in one run: %2.</source>
        <translation>
Der Versatz wird nicht übernommen, wenn nicht angehakt: Der Clip von %1 ist nicht ihr eigenes Video. Er gilt für die Aufzeichnung nur, wenn alle Clips zugleich mit den Videos beginnen, in einem Durchgang: %2.</translation>
    </message>
    <message>
        <source>
The offsets stay: %1.</source>
        <translation>
Der Versatz bleibt: %1.</translation>
    </message>
    <message>
        <source>
What was drawn (%1 zones, lines, repairs, true people, boxes) keeps its coordinates, which are other positions then.</source>
        <translation>
Was gezeichnet wurde (%1 Zonen, Linien, Korrekturen, Referenzpersonen, Quader), behält seine Koordinaten, die dann andere Orte sind.</translation>
    </message>
    <message>
        <source>
▲ Board %1 is linked to no other board: it is used for lenses only.</source>
        <translation>
▲ Tafel %1 ist mit keiner anderen verbunden: Sie dient nur den Objektiven.</translation>
    </message>
    <message>
        <source>
▲: the pictures do not determine all values of the camera; point at its row to read which.</source>
        <translation>
▲: Die Bilder bestimmen nicht alle Werte der Kamera; auf ihre Zeile zeigen, um zu lesen, welche.</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source> %1 disagree, most of all that of %2 in frame %3.</source>
        <translation> %1 weichen ab, am meisten die von %2 in Bild %3.</translation>
    </message>
    <message>
        <source> %1 others are not told apart from it, by blocks of time.</source>
        <translation> %1 andere sind nach Zeitblöcken nicht davon zu unterscheiden.</translation>
    </message>
    <message numerus="yes">
        <source> %n are drawn here already.</source>
        <translation>
            <numerusform> 1 ist hier schon gezeichnet.</numerusform>
            <numerusform> %n sind hier schon gezeichnet.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> %n are of cameras that the project does not have.</source>
        <translation>
            <numerusform> 1 gehört zu einer Kamera, die das Projekt nicht hat.</numerusform>
            <numerusform> %n gehören zu Kameras, die das Projekt nicht hat.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> %n events differ.</source>
        <translation>
            <numerusform> 1 Ereignis unterscheidet sich.</numerusform>
            <numerusform> %n Ereignisse unterscheiden sich.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> %n were painted here already, and stay.</source>
        <translation>
            <numerusform> 1 war hier schon gemalt und bleibt.</numerusform>
            <numerusform> %n waren hier schon gemalt und bleiben.</numerusform>
        </translation>
    </message>
    <message>
        <source> (%1 to %2)</source>
        <translation> (%1 bis %2)</translation>
    </message>
    <message>
        <source> (%1)</source>
        <translation> (%1)</translation>
    </message>
    <message>
        <source> (read-only)</source>
        <translation> (schreibgeschützt)</translation>
    </message>
    <message>
        <source> /s</source>
        <translation> /s</translation>
    </message>
    <message>
        <source> Changes %1.</source>
        <translation> Ändert %1.</translation>
    </message>
    <message>
        <source> Compared with %1.</source>
        <translation> Verglichen mit %1.</translation>
    </message>
    <message>
        <source> From the last camera's bytes to the result: p50 %1, p95 %2, max %3.</source>
        <translation> Von den letzten Bytes einer Kamera zum Ergebnis: p50 %1, p95 %2, max. %3.</translation>
    </message>
    <message>
        <source> in %1 lines</source>
        <translation> in %1 Zeilen</translation>
    </message>
    <message>
        <source> It is not joined: no camera saw it together with another board, so that it is used for lenses only. Show both to one camera at once, or film them with a hand-held camera.</source>
        <translation> Sie ist nicht verbunden: Keine Kamera hat sie zusammen mit einer anderen Tafel gesehen, sie dient daher nur den Objektiven. Beide einer Kamera zugleich zeigen oder mit einer Handkamera filmen.</translation>
    </message>
    <message>
        <source> It is the world at frame %1.</source>
        <translation> Sie ist das Weltsystem bei Bild %1.</translation>
    </message>
    <message>
        <source> Its calibration is of another world then, and is removed.</source>
        <translation> Ihre Kalibrierung gehört dann zu einer anderen Welt und wird entfernt.</translation>
    </message>
    <message>
        <source> Its clicks miss by %1 px, calibrated by %2 px.</source>
        <translation> Ihre Klicks weichen um %1 px ab, kalibriert um %2 px.</translation>
    </message>
    <message>
        <source> m</source>
        <translation> m</translation>
    </message>
    <message>
        <source> m/s</source>
        <translation> m/s</translation>
    </message>
    <message>
        <source> measured</source>
        <translation> gemessen</translation>
    </message>
    <message>
        <source> MiB</source>
        <translation> MiB</translation>
    </message>
    <message>
        <source> mm</source>
        <translation> mm</translation>
    </message>
    <message>
        <source> Neither keeps foreground masks.</source>
        <translation> Keines hat Vordergrundmasken gespeichert.</translation>
    </message>
    <message>
        <source> of %1 s</source>
        <translation> von je %1 s</translation>
    </message>
    <message>
        <source> On the test span %1.</source>
        <translation> Auf der Prüfspanne %1.</translation>
    </message>
    <message>
        <source> Only %1 keeps foreground masks.</source>
        <translation> Nur %1 hat Vordergrundmasken gespeichert.</translation>
    </message>
    <message>
        <source> or </source>
        <translation> oder </translation>
    </message>
    <message>
        <source> Places on the floor move by up to %1 cm.</source>
        <translation> Orte am Boden verschieben sich um bis zu %1 cm.</translation>
    </message>
    <message>
        <source> points</source>
        <translation> Punkte</translation>
    </message>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source> They disagree in %1 person-frames, first in frame %2 about person %3; `vantage-cli truth --merge` lists all.</source>
        <translation> Sie weichen in %1 Personenbildern ab, zuerst in Bild %2 bei Person %3; `vantage-cli truth --merge` listet alle auf.</translation>
    </message>
    <message>
        <source> This machine is not the cause: its processors are %1 % busy.</source>
        <translation> Dieser Rechner ist nicht die Ursache: Seine Prozessoren sind zu %1 % ausgelastet.</translation>
    </message>
    <message>
        <source> Tick lenses to solve these, too, or solve them by a board.</source>
        <translation> Objektive anhaken, um auch sie zu berechnen, oder durch eine Tafel berechnen.</translation>
    </message>
    <message>
        <source> to </source>
        <translation> bis </translation>
    </message>
    <message>
        <source> values</source>
        <translation> Werte</translation>
    </message>
    <message numerus="yes">
        <source> with its results of %n frames</source>
        <translation>
            <numerusform> mit ihren Ergebnissen von 1 Bild</numerusform>
            <numerusform> mit ihren Ergebnissen von %n Bildern</numerusform>
        </translation>
    </message>
    <message>
        <source> with pictures</source>
        <translation> mit Bildern</translation>
    </message>
    <message>
        <source> ± %1</source>
        <translation> ± %1</translation>
    </message>
    <message>
        <source> × </source>
        <translation> × </translation>
    </message>
    <message>
        <source> ▲ %1 is %2.</source>
        <translation> ▲ %1 ist %2.</translation>
    </message>
    <message>
        <source> ▲ Out of date: parameters or ground truth have changed since.</source>
        <translation> ▲ Veraltet: Parameter oder Referenz haben sich seither geändert.</translation>
    </message>
    <message>
        <source>%1
from frame %2</source>
        <translation>%1
ab Bild %2</translation>
    </message>
    <message>
        <source>%1   %2   frame %3</source>
        <translation>%1   %2   Bild %3</translation>
    </message>
    <message>
        <source>%1  bookmark: %2</source>
        <translation>%1  Lesezeichen: %2</translation>
    </message>
    <message>
        <source>%1  person %2</source>
        <translation>%1  Person %2</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 %2 in %3; RMS %4 px, median %5 px, max %6 px. Arrows are enlarged ×%7, red ones are longer than three times the median.</source>
        <translation>%1 %2 in %3; RMS %4 px, Median %5 px, max. %6 px. Pfeile sind ×%7 vergrößert, rote länger als das Dreifache des Medians.</translation>
    </message>
    <message>
        <source>%1 %2 ms</source>
        <translation>%1 %2 ms</translation>
    </message>
    <message>
        <source>%1 %2.</source>
        <translation>%1 %2.</translation>
    </message>
    <message>
        <source>%1 (%2 %)</source>
        <translation>%1 (%2 %)</translation>
    </message>
    <message>
        <source>%1 (%2) in %3</source>
        <translation>%1 (%2) in %3</translation>
    </message>
    <message>
        <source>%1 (%2, %3)</source>
        <translation>%1 (%2, %3)</translation>
    </message>
    <message>
        <source>%1 (not in the project)</source>
        <translation>%1 (nicht im Projekt)</translation>
    </message>
    <message>
        <source>%1 (person %2)</source>
        <translation>%1 (Person %2)</translation>
    </message>
    <message>
        <source>%1 an hour (%2)</source>
        <translation>%1 je Stunde (%2)</translation>
    </message>
    <message>
        <source>%1 and
%2</source>
        <translation>%1 und
%2</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>%1 appears to be %2 frames (%3 s) behind since frame %4; %5.</source>
        <translation>%1 liegt offenbar seit Bild %4 %2 Bilder (%3 s) zurück; %5.</translation>
    </message>
    <message>
        <source>%1 appears to be %2 s ahead of %3; %4.</source>
        <translation>%1 liegt offenbar %2 s vor %3; %4.</translation>
    </message>
    <message>
        <source>%1 appears to be %2 s behind %3; %4.</source>
        <translation>%1 liegt offenbar %2 s hinter %3; %4.</translation>
    </message>
    <message>
        <source>%1 appears to have %2; %3.</source>
        <translation>%1 hat offenbar %2; %3.</translation>
    </message>
    <message>
        <source>%1 appears to have lost %2 frames (%3 s) at frame %4; %5.</source>
        <translation>%1 hat offenbar %2 Bilder (%3 s) bei Bild %4 verloren; %5.</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1 bei %2</translation>
    </message>
    <message>
        <source>%1 attempts failed</source>
        <translation>%1 Versuche gescheitert</translation>
    </message>
    <message>
        <source>%1 belongs to “%2”: give that another key first.</source>
        <translation>%1 gehört zu „%2“: diesem zuerst eine andere Taste geben.</translation>
    </message>
    <message>
        <source>%1 blocks of %2 threads</source>
        <translation>%1 Blöcke zu %2 Threads</translation>
    </message>
    <message>
        <source>%1 brings %2 of %3 pictures a second</source>
        <translation>%1 bringt %2 von %3 Bildern je Sekunde</translation>
    </message>
    <message>
        <source>%1 case %2</source>
        <translation>%1 Fall %2</translation>
    </message>
    <message>
        <source>%1 counts nothing as wrong.</source>
        <translation>%1 zählt nichts als falsch.</translation>
    </message>
    <message>
        <source>%1 damaged</source>
        <translation>%1 gestört</translation>
    </message>
    <message>
        <source>%1 damaged pictures in the last seconds: data is lost on the way. Try rtsp:// (TCP), or a wired network.</source>
        <translation>%1 gestörte Bilder in den letzten Sekunden: Unterwegs gehen Daten verloren. rtsp:// (TCP) oder ein Netzwerkkabel versuchen.</translation>
    </message>
    <message>
        <source>%1 delivered</source>
        <translation>%1 zugestellt</translation>
    </message>
    <message>
        <source>%1 Events</source>
        <translation>%1 Ereignisse</translation>
    </message>
    <message>
        <source>%1 events</source>
        <translation>%1 Ereignisse</translation>
    </message>
    <message>
        <source>%1 exists. Overwrite the results in it?</source>
        <translation>%1 gibt es schon. Die Ergebnisse darin überschreiben?</translation>
    </message>
    <message>
        <source>%1 failed, %2 doubtful</source>
        <translation>%1 gescheitert, %2 zweifelhaft</translation>
    </message>
    <message>
        <source>%1 files, %2 and others</source>
        <translation>%1 Dateien, %2 und weitere</translation>
    </message>
    <message>
        <source>%1 files, being put in order…</source>
        <translation>%1 Dateien, werden geordnet…</translation>
    </message>
    <message>
        <source>%1 Fits to %2 mm. World scaled by %3, turned by %4°; %5.</source>
        <translation>%1 Passt auf %2 mm. Welt skaliert um %3, gedreht um %4°; %5.</translation>
    </message>
    <message>
        <source>%1 found, of %2 people.</source>
        <translation>%1 gefunden, von %2 Personen.</translation>
    </message>
    <message>
        <source>%1 frame %2 next to frame %3 of %4; proposed: frame %5</source>
        <translation>%1 Bild %2 neben Bild %3 von %4; vorgeschlagen: Bild %5</translation>
    </message>
    <message>
        <source>%1 frames</source>
        <translation>%1 Bilder</translation>
    </message>
    <message>
        <source>%1 frames of %2 become %3's</source>
        <translation>%1 Bilder von %2 gehen an %3</translation>
    </message>
    <message>
        <source>%1 frames of %2 from here on become a new person's</source>
        <translation>%1 Bilder von %2 gehen ab hier an eine neue Person</translation>
    </message>
    <message>
        <source>%1 frames, %2</source>
        <translation>%1 Bilder, %2</translation>
    </message>
    <message>
        <source>%1 frames, %2, from %3</source>
        <translation>%1 Bilder, %2, ab %3</translation>
    </message>
    <message>
        <source>%1 GB</source>
        <translation>%1 GB</translation>
    </message>
    <message>
        <source>%1 GB/s</source>
        <translation>%1 GB/s</translation>
    </message>
    <message>
        <source>%1 hand-over %2.pdf</source>
        <translation>%1 Übergabe %2.pdf</translation>
    </message>
    <message>
        <source>%1 has another pose from frame %2 on: click its picture in an earlier frame.</source>
        <translation>%1 hat ab Bild %2 eine andere Lage: in einem früheren Bild in ihr Bild klicken.</translation>
    </message>
    <message>
        <source>%1 has been open in %2 since %3. It is read-only here: save your changes under another name.</source>
        <translation>%1 ist seit %3 in %2 geöffnet und hier schreibgeschützt: Änderungen unter anderem Namen speichern.</translation>
    </message>
    <message>
        <source>%1 has no foreground</source>
        <translation>%1 hat keinen Vordergrund</translation>
    </message>
    <message>
        <source>%1 has no picture</source>
        <translation>%1 hat kein Bild</translation>
    </message>
    <message>
        <source>%1 have no foreground</source>
        <translation>%1 haben keinen Vordergrund</translation>
    </message>
    <message>
        <source>%1 have no picture</source>
        <translation>%1 haben kein Bild</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>%1 in doubt, %2 answered, of %3 people</source>
        <translation>%1 im Zweifel, %2 beantwortet, von %3 Personen</translation>
    </message>
    <message>
        <source>%1 in the last %2</source>
        <translation>%1 in den letzten %2</translation>
    </message>
    <message>
        <source>%1 is back in step.</source>
        <translation>%1 ist wieder synchron.</translation>
    </message>
    <message>
        <source>%1 is being opened.</source>
        <translation>%1 wird geöffnet.</translation>
    </message>
    <message>
        <source>%1 is being read.</source>
        <translation>%1 wird gelesen.</translation>
    </message>
    <message>
        <source>%1 is in use.</source>
        <translation>%1 wird verwendet.</translation>
    </message>
    <message>
        <source>%1 is late</source>
        <translation>%1 ist verspätet</translation>
    </message>
    <message>
        <source>%1 is missing</source>
        <translation>%1 fehlt</translation>
    </message>
    <message>
        <source>%1 is not a file.</source>
        <translation>%1 ist keine Datei.</translation>
    </message>
    <message>
        <source>%1 is not connected</source>
        <translation>%1 ist nicht verbunden</translation>
    </message>
    <message>
        <source>%1 is not fully covered: enough cameras see only %2 % of it.</source>
        <translation>%1 ist nicht ganz abgedeckt: Genug Kameras sehen nur %2 % davon.</translation>
    </message>
    <message>
        <source>%1 is now: %2.</source>
        <translation>%1 ist jetzt: %2.</translation>
    </message>
    <message>
        <source>%1 is silent</source>
        <translation>%1 schweigt</translation>
    </message>
    <message>
        <source>%1 is there already: nothing is overwritten.</source>
        <translation>%1 ist schon vorhanden: Es wird nichts überschrieben.</translation>
    </message>
    <message>
        <source>%1 iterations, energy %2, %3 pixels unsettled</source>
        <translation>%1 Iterationen, Energie %2, %3 Pixel unruhig</translation>
    </message>
    <message>
        <source>%1 kbit/s</source>
        <translation>%1 kbit/s</translation>
    </message>
    <message>
        <source>%1 KiB shared a block</source>
        <translation>%1 KiB gemeinsam je Block</translation>
    </message>
    <message>
        <source>%1 late</source>
        <translation>%1 verspätet</translation>
    </message>
    <message>
        <source>%1 left out</source>
        <translation>%1 ausgelassen</translation>
    </message>
    <message>
        <source>%1 left, %2 right</source>
        <translation>%1 links, %2 rechts</translation>
    </message>
    <message>
        <source>%1 lens, focal length %2 px</source>
        <translation>Objektiv %1, Brennweite %2 px</translation>
    </message>
    <message>
        <source>%1 m</source>
        <translation>%1 m</translation>
    </message>
    <message>
        <source>%1 MB</source>
        <translation>%1 MB</translation>
    </message>
    <message>
        <source>%1 min ago</source>
        <translation>vor %1 min</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message numerus="yes">
        <source>%1 new of %n events</source>
        <translation>
            <numerusform>%1 neu von 1 Ereignis</numerusform>
            <numerusform>%1 neue von %n Ereignissen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 not in these results</source>
        <translation>%1 nicht in diesen Ergebnissen</translation>
    </message>
    <message>
        <source>%1 now, %2</source>
        <translation>%1 jetzt, %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 of %2 cameras deliver. %3 frame sets/s, waiting up to %4 ms.</source>
        <translation>%1 von %2 Kameras liefern. %3 Bildsätze/s, Wartezeit bis %4 ms.</translation>
    </message>
    <message>
        <source>%1 of %2 files sealed</source>
        <translation>%1 von %2 Dateien versiegelt</translation>
    </message>
    <message>
        <source>%1 of %2 frame sets dropped, %3 incomplete.</source>
        <translation>%1 von %2 Bildsätzen verworfen, %3 unvollständig.</translation>
    </message>
    <message>
        <source>%1 of %2 frames are analysed already, with these settings. Their results are replaced.</source>
        <translation>%1 von %2 Bildern sind mit diesen Einstellungen schon analysiert. Ihre Ergebnisse werden ersetzt.</translation>
    </message>
    <message>
        <source>%1 of %2 pictures/s</source>
        <translation>%1 von %2 Bildern/s</translation>
    </message>
    <message>
        <source>%1 of %2 poses as exact</source>
        <translation>%1 von %2 Lagen als fehlerfrei</translation>
    </message>
    <message>
        <source>%1 of %2/s</source>
        <translation>%1 von %2/s</translation>
    </message>
    <message>
        <source>%1 of %2: %3, x %4 m, y %5 m: %6.</source>
        <translation>%1 von %2: %3, x %4 m, y %5 m: %6.</translation>
    </message>
    <message>
        <source>%1 on average, %2 maximum; %3 visits</source>
        <translation>%1 im Mittel, höchstens %2; %3 Besuche</translation>
    </message>
    <message>
        <source>%1 people in %2 frames</source>
        <translation>%1 Personen in %2 Bildern</translation>
    </message>
    <message>
        <source>%1 picked up, %2 % covered</source>
        <translation>%1 aufgenommen, %2 % abgedeckt</translation>
    </message>
    <message>
        <source>%1 pictures</source>
        <translation>%1 Aufnahmen</translation>
    </message>
    <message>
        <source>%1 pictures/s</source>
        <translation>%1 Bilder/s</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 Punkten</translation>
    </message>
    <message>
        <source>%1 proposed, %2</source>
        <translation>%1 vorgeschlagen, %2</translation>
    </message>
    <message>
        <source>%1 px</source>
        <translation>%1 px</translation>
    </message>
    <message>
        <source>%1 px a frame</source>
        <translation>%1 px je Bild</translation>
    </message>
    <message>
        <source>%1 reconnected</source>
        <translation>%1-mal neu verbunden</translation>
    </message>
    <message>
        <source>%1 reconnected %2 times</source>
        <translation>%1 verband sich %2-mal neu</translation>
    </message>
    <message>
        <source>%1 registers a thread</source>
        <translation>%1 Register je Thread</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 s ago</source>
        <translation>vor %1 s</translation>
    </message>
    <message>
        <source>%1 s ahead of %2</source>
        <translation>%1 s vor %2</translation>
    </message>
    <message>
        <source>%1 s behind %2</source>
        <translation>%1 s hinter %2</translation>
    </message>
    <message>
        <source>%1 s old</source>
        <translation>%1 s alt</translation>
    </message>
    <message>
        <source>%1 states no frame rate: enter its frames per second.</source>
        <translation>%1 gibt keine Bildrate an: Bilder je Sekunde eingeben.</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>%1 to %2   %3
%4, and %5 more</source>
        <translation>%1 bis %2   %3
%4 und %5 weitere</translation>
    </message>
    <message>
        <source>%1 to %2 is %3 m, and was %4 m.</source>
        <translation>%1 bis %2 ist %3 m, war %4 m.</translation>
    </message>
    <message>
        <source>%1 to %2, frames %3 to %4</source>
        <translation>%1 bis %2, Bilder %3 bis %4</translation>
    </message>
    <message>
        <source>%1 to %2, frames:</source>
        <translation>%1 bis %2, Bilder:</translation>
    </message>
    <message>
        <source>%1 to %2: %3</source>
        <translation>%1 bis %2: %3</translation>
    </message>
    <message>
        <source>%1 to the left, %2 to the right</source>
        <translation>%1 nach links, %2 nach rechts</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 warten</translation>
    </message>
    <message>
        <source>%1 was changed by another program: %2. Reload it, overwrite it, or save yours under another name.</source>
        <translation>%1 wurde von einem anderen Programm geändert: %2. Neu laden, überschreiben oder das eigene unter anderem Namen speichern.</translation>
    </message>
    <message>
        <source>%1 was moved, not only turned, or is not calibrated: place it by people or points after the jump.</source>
        <translation>%1 wurde versetzt, nicht nur gedreht, oder ist nicht kalibriert: nach dem Sprung durch Personen oder Punkte einmessen.</translation>
    </message>
    <message>
        <source>%1 x %2 px</source>
        <translation>%1 × %2 px</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>%1 × %2 tags, IDs %3 to %4, %5</source>
        <translation>%1 × %2 Marken, IDs %3 bis %4, %5</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>%1 – enough</source>
        <translation>%1 – genug</translation>
    </message>
    <message>
        <source>%1 – hold it still</source>
        <translation>%1 – ruhig halten</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, %2 boxes in %3 frames</source>
        <translation>%1, %2 Rechtecke in %3 Bildern</translation>
    </message>
    <message>
        <source>%1, %2 m</source>
        <translation>%1, %2 m</translation>
    </message>
    <message>
        <source>%1, %2 s: %3</source>
        <translation>%1, %2 s: %3</translation>
    </message>
    <message>
        <source>%1, %2 so far, in %3. Leaving ends the recording, which is kept.</source>
        <translation>%1, bisher %2, in %3. Verlassen beendet die Aufzeichnung; sie bleibt erhalten.</translation>
    </message>
    <message>
        <source>%1, %2: %3×%4 px, %5</source>
        <translation>%1, %2: %3×%4 px, %5</translation>
    </message>
    <message>
        <source>%1, %2: x %3 px, y %4 px, together %5 px</source>
        <translation>%1, %2: x %3 px, y %4 px, zusammen %5 px</translation>
    </message>
    <message>
        <source>%1, in the parameter's unit</source>
        <translation>%1, in der Einheit des Parameters</translation>
    </message>
    <message>
        <source>%1, no evidence</source>
        <translation>%1, kein Beleg</translation>
    </message>
    <message>
        <source>%1, not available now</source>
        <translation>%1, jetzt nicht verfügbar</translation>
    </message>
    <message>
        <source>%1, not linked</source>
        <translation>%1, nicht verbunden</translation>
    </message>
    <message>
        <source>%1, out of date</source>
        <translation>%1, veraltet</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>%1. Click: go to another (Ctrl+G)</source>
        <translation>%1. Klick: zu einer anderen gehen (Strg+G)</translation>
    </message>
    <message>
        <source>%1. Its difference from the best may be noise, by blocks of time (95 %).</source>
        <translation>%1. Der Unterschied zum besten kann Rauschen sein, nach Zeitblöcken (95 %).</translation>
    </message>
    <message>
        <source>%1: </source>
        <translation>%1: </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: %2 %3 on the tuning span</source>
        <translation>%1: %2 %3 auf der Abstimmspanne</translation>
    </message>
    <message>
        <source>%1: %2 clicks, root mean square %3 px</source>
        <translation>%1: %2 Klicks, quadratisches Mittel %3 px</translation>
    </message>
    <message>
        <source>%1: %2 corners, root mean square %3 px</source>
        <translation>%1: %2 Ecken, quadratisches Mittel %3 px</translation>
    </message>
    <message>
        <source>%1: %2 has no range; choose listed points.</source>
        <translation>%1: %2 hat keine Grenzen; „Liste“ wählen.</translation>
    </message>
    <message>
        <source>%1: %2 lies between %3 and %4.</source>
        <translation>%1: %2 liegt zwischen %3 und %4.</translation>
    </message>
    <message>
        <source>%1: %2 m</source>
        <translation>%1: %2 m</translation>
    </message>
    <message>
        <source>%1: %2 px</source>
        <translation>%1: %2 px</translation>
    </message>
    <message>
        <source>%1: %2 → %3</source>
        <translation>%1: %2 → %3</translation>
    </message>
    <message>
        <source>%1: %2, at x %3 m, y %4 m</source>
        <translation>%1: %2, bei x %3 m, y %4 m</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1: %2.</translation>
    </message>
    <message>
        <source>%1: cannot tell (%2).</source>
        <translation>%1: nicht zu entscheiden (%2).</translation>
    </message>
    <message>
        <source>%1: choose its calibrated camera, or none.</source>
        <translation>%1: die kalibrierte Kamera auswählen, oder keine.</translation>
    </message>
    <message>
        <source>%1: crossings may be missed.</source>
        <translation>%1: Überquerungen können entgehen.</translation>
    </message>
    <message>
        <source>%1: double-click to see the parameter</source>
        <translation>%1: Doppelklick zeigt den Parameter</translation>
    </message>
    <message>
        <source>%1: its picture size is unknown; add its calibration.</source>
        <translation>%1: Die Bildgröße ist unbekannt; die Kalibrierung hinzufügen.</translation>
    </message>
    <message>
        <source>%1: last %2</source>
        <translation>%1: zuletzt %2</translation>
    </message>
    <message>
        <source>%1: list them, with commas between.</source>
        <translation>%1: auflisten, mit Kommas dazwischen.</translation>
    </message>
    <message>
        <source>%1: passed</source>
        <translation>%1: bestanden</translation>
    </message>
    <message>
        <source>%1: RMS %2 px, max %3 px</source>
        <translation>%1: RMS %2 px, max. %3 px</translation>
    </message>
    <message>
        <source>%1: the number of people in it is unknown.</source>
        <translation>%1: Die Zahl der Personen darin ist unbekannt.</translation>
    </message>
    <message>
        <source>%1: two numbers are expected, the smaller one first.</source>
        <translation>%1: Zwei Zahlen werden erwartet, die kleinere zuerst.</translation>
    </message>
    <message>
        <source>%1°</source>
        <translation>%1°</translation>
    </message>
    <message>
        <source>%1×%2 px</source>
        <translation>%1×%2 px</translation>
    </message>
    <message>
        <source>%1×%2, %3 pictures/s, %4</source>
        <translation>%1×%2, %3 Bilder/s, %4</translation>
    </message>
    <message>
        <source>%L1 bytes</source>
        <translation>%L1 Bytes</translation>
    </message>
    <message numerus="yes">
        <source>%n cameras found</source>
        <translation>
            <numerusform>%n Kamera gefunden</numerusform>
            <numerusform>%n Kameras gefunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>1 Datei</numerusform>
            <numerusform>%n Dateien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n frames</source>
        <translation>
            <numerusform>1 Bild</numerusform>
            <numerusform>%n Bilder</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n masks added, the same as ours: %1.</source>
        <translation>
            <numerusform>1 Maske hinzugefügt, gleich den eigenen: %1.</numerusform>
            <numerusform>%n Masken hinzugefügt, gleich den eigenen: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n masks imported.</source>
        <translation>
            <numerusform>1 Maske importiert.</numerusform>
            <numerusform>%n Masken importiert.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>1 weitere</numerusform>
            <numerusform>%n weitere</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pictures are blurred as a whole.</source>
        <translation>
            <numerusform>1 Bild ist ganz unkenntlich gemacht.</numerusform>
            <numerusform>%n Bilder sind ganz unkenntlich gemacht.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n repairs no longer apply</source>
        <translation>
            <numerusform>1 Korrektur gilt nicht mehr</numerusform>
            <numerusform>%n Korrekturen gelten nicht mehr</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n true people imported.</source>
        <translation>
            <numerusform>1 Referenzperson importiert.</numerusform>
            <numerusform>%n Referenzpersonen importiert.</numerusform>
        </translation>
    </message>
    <message>
        <source>'%1' is not an ID.</source>
        <translation>„%1“ ist keine ID.</translation>
    </message>
    <message>
        <source>, %1 frames %2 at frame %3</source>
        <translation>, %1 Bilder %2 bei Bild %3</translation>
    </message>
    <message>
        <source>, %1 of %2</source>
        <translation>, %1 von %2</translation>
    </message>
    <message>
        <source>, %1 on the test span</source>
        <translation>, %1 auf der Prüfspanne</translation>
    </message>
    <message>
        <source>, %1 to %2</source>
        <translation>, %1 bis %2</translation>
    </message>
    <message numerus="yes">
        <source>, %n events</source>
        <translation>
            <numerusform>, 1 Ereignis</numerusform>
            <numerusform>, %n Ereignisse</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n people</source>
        <translation>
            <numerusform>, 1 Person</numerusform>
            <numerusform>, %n Personen</numerusform>
        </translation>
    </message>
    <message>
        <source>, board %1</source>
        <translation>, Tafel %1</translation>
    </message>
    <message>
        <source>, bookmark</source>
        <translation>, Lesezeichen</translation>
    </message>
    <message>
        <source>, confidence %1</source>
        <translation>, Konfidenz %1</translation>
    </message>
    <message>
        <source>, confirmed</source>
        <translation>, bestätigt</translation>
    </message>
    <message>
        <source>, drift %1 ppm</source>
        <translation>, Drift %1 ppm</translation>
    </message>
    <message>
        <source>, frames %1 to %2</source>
        <translation>, Bilder %1 bis %2</translation>
    </message>
    <message>
        <source>, heights %1 cm</source>
        <translation>, Größen %1 cm</translation>
    </message>
    <message>
        <source>, lost %1 times in between</source>
        <translation>, dazwischen %1-mal verloren</translation>
    </message>
    <message>
        <source>, lost once in between</source>
        <translation>, dazwischen einmal verloren</translation>
    </message>
    <message>
        <source>, on the CPU after the GPU failed</source>
        <translation>, auf der CPU nach Ausfall der GPU</translation>
    </message>
    <message>
        <source>, one in %1 s, where IDs break</source>
        <translation>, einer in %1 s, wobei IDs reißen</translation>
    </message>
    <message>
        <source>, over %1.</source>
        <translation>, über %1.</translation>
    </message>
    <message>
        <source>, preview</source>
        <translation>, Vorschau</translation>
    </message>
    <message>
        <source>, ▲ no data here</source>
        <translation>, ▲ hier keine Daten</translation>
    </message>
    <message>
        <source>, ▲ not swept here</source>
        <translation>, ▲ hier nicht durchlaufen</translation>
    </message>
    <message>
        <source>.
Can be typed: %1</source>
        <translation>.
Eingabe: %1</translation>
    </message>
    <message>
        <source>. %1 events an hour.</source>
        <translation>. %1 Ereignisse je Stunde.</translation>
    </message>
    <message>
        <source>. The project has changed since then.</source>
        <translation>. Das Projekt hat sich seither geändert.</translation>
    </message>
    <message>
        <source>0 to 499</source>
        <translation>0 bis 499</translation>
    </message>
    <message>
        <source>1 frame</source>
        <translation>1 Bild</translation>
    </message>
    <message>
        <source>1 of %1 frame sets is analysed</source>
        <translation>1 von %1 Bildsätzen wird analysiert</translation>
    </message>
    <message>
        <source>1/m</source>
        <translation>1/m</translation>
    </message>
    <message>
        <source>127.0.0.1: programs on this machine only; 0.0.0.0: every machine that can reach this one</source>
        <translation>127.0.0.1: nur Programme auf diesem Rechner; 0.0.0.0: jeder Rechner, der diesen erreicht</translation>
    </message>
    <message>
        <source>2026-05-01 14:32:05, with Z or +02:00 unless it is this machine's time</source>
        <translation>01.05.2026 14:32:05, mit Z oder +02:00, wenn nicht nach der Uhr dieses Rechners</translation>
    </message>
    <message>
        <source>3-D and people need a calibration.</source>
        <translation>3-D und Personen brauchen eine Kalibrierung.</translation>
    </message>
    <message>
        <source>3-D scene</source>
        <translation>3-D-Szene</translation>
    </message>
    <message>
        <source>30° a second</source>
        <translation>30° je Sekunde</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95-%-Intervall</translation>
    </message>
    <message>
        <source>95th percentile, ms</source>
        <translation>95. Perzentil, ms</translation>
    </message>
    <message>
        <source>99th percentile, ms</source>
        <translation>99. Perzentil, ms</translation>
    </message>
    <message>
        <source>: all %1</source>
        <translation>: alle %1</translation>
    </message>
    <message>
        <source>; %1 %2 and %3</source>
        <translation>; %1 %2 und %3</translation>
    </message>
    <message>
        <source>; %1 cm apart on average</source>
        <translation>; im Mittel %1 cm daneben</translation>
    </message>
    <message>
        <source>; %1 in the last %2.</source>
        <translation>; %1 in den letzten %2.</translation>
    </message>
    <message>
        <source>; %1 m tall</source>
        <translation>; %1 m groß</translation>
    </message>
    <message>
        <source>; appeared in frame %1</source>
        <translation>; erschien in Bild %1</translation>
    </message>
    <message>
        <source>; arrow keys step, Page Up and Down by ten steps</source>
        <translation>; Pfeiltasten ändern um einen Schritt, Bild auf und ab um zehn</translation>
    </message>
    <message>
        <source>; B − A: </source>
        <translation>; B − A: </translation>
    </message>
    <message numerus="yes">
        <source>; blocks of %n frames</source>
        <translation>
            <numerusform>; Blöcke von 1 Bild</numerusform>
            <numerusform>; Blöcke von %n Bildern</numerusform>
        </translation>
    </message>
    <message>
        <source>; cameras: %1</source>
        <translation>; Kameras: %1</translation>
    </message>
    <message>
        <source>; cannot tell whether frames were lost</source>
        <translation>; nicht zu entscheiden, ob Bilder verloren gingen</translation>
    </message>
    <message>
        <source>; cannot tell whether frames were lost before frame %1 or behind %2</source>
        <translation>; nicht zu entscheiden, ob vor Bild %1 oder nach %2 Bilder verloren gingen</translation>
    </message>
    <message>
        <source>; confidence %1, ±%2 frames</source>
        <translation>; Konfidenz %1, ±%2 Bilder</translation>
    </message>
    <message>
        <source>; from frame %1 on the ID may still change</source>
        <translation>; ab Bild %1 kann sich die ID noch ändern</translation>
    </message>
    <message>
        <source>; IDs are final after %1 s</source>
        <translation>; IDs sind nach %1 s endgültig</translation>
    </message>
    <message>
        <source>; lost after frame %1</source>
        <translation>; verloren nach Bild %1</translation>
    </message>
    <message>
        <source>; no interval: %1</source>
        <translation>; kein Intervall: %1</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Vantage %1&lt;/h3&gt;&lt;p&gt;A workbench for footage of one scene seen by several cameras.&lt;/p&gt;&lt;p&gt;The sources are under Apache 2.0; with the libraries that it loads (Qt, VTK, FFmpeg and others, see THIRD_PARTY_NOTICES) this program is passed on under the GPL, version 3.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Vantage %1&lt;/h3&gt;&lt;p&gt;Eine Werkbank für Aufnahmen einer Szene aus mehreren Kameras.&lt;/p&gt;&lt;p&gt;Der Quelltext steht unter Apache 2.0; mit den geladenen Bibliotheken (Qt, VTK, FFmpeg und andere, siehe THIRD_PARTY_NOTICES) wird dieses Programm unter der GPL, Version 3, weitergegeben.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>A and B are the same results: choose another one.</source>
        <translation>A und B sind dieselben Ergebnisse: ein anderes wählen.</translation>
    </message>
    <message>
        <source>A and B do</source>
        <translation>A und B sagen</translation>
    </message>
    <message>
        <source>A and B do not differ in %1 frames.</source>
        <translation>A und B unterscheiden sich in %1 Bildern nicht.</translation>
    </message>
    <message>
        <source>A and B do not differ in what is chosen.</source>
        <translation>A und B unterscheiden sich im Gewählten nicht.</translation>
    </message>
    <message>
        <source>A baseline, or the timings.json of a run's results</source>
        <translation>Ein Vergleichsstand, oder timings.json aus den Ergebnissen eines Laufs</translation>
    </message>
    <message>
        <source>A box needs a name.</source>
        <translation>Ein Quader braucht einen Namen.</translation>
    </message>
    <message>
        <source>A calibration is being solved.</source>
        <translation>Eine Kalibrierung wird berechnet.</translation>
    </message>
    <message>
        <source>A camera</source>
        <translation>Eine Kamera</translation>
    </message>
    <message>
        <source>A camera out of &amp;step</source>
        <translation>Nicht syn&amp;chrone Kamera</translation>
    </message>
    <message>
        <source>A certificate and its private key belong together. Choose both files, or none.</source>
        <translation>Ein Zertifikat und sein privater Schlüssel gehören zusammen. Beide Dateien wählen oder keine.</translation>
    </message>
    <message>
        <source>A check is running.</source>
        <translation>Eine Prüfung läuft.</translation>
    </message>
    <message>
        <source>A chessboard, plain or with markers in its light squares, or AprilTags or ArUco markers with gaps between them (Kalibr's aprilgrid, OpenCV's GridBoard)</source>
        <translation>Ein Schachbrett, einfach oder mit Markern in den hellen Feldern, oder AprilTags oder ArUco-Marker mit Abständen (aprilgrid von Kalibr, GridBoard von OpenCV)</translation>
    </message>
    <message>
        <source>A does</source>
        <translation>A sagt</translation>
    </message>
    <message>
        <source>a few seconds</source>
        <translation>wenige Sekunden</translation>
    </message>
    <message>
        <source>A hand-held camera links boards: add a second one first.</source>
        <translation>Eine Handkamera verbindet Tafeln: zuerst eine zweite hinzufügen.</translation>
    </message>
    <message>
        <source>A height map needs a calibration.</source>
        <translation>Eine Höhenkarte braucht eine Kalibrierung.</translation>
    </message>
    <message>
        <source>A height that fewer other views see costs unseen_cost.</source>
        <translation>Eine Höhe, die weniger andere Ansichten sehen, kostet unseen_cost.</translation>
    </message>
    <message>
        <source>A lane for each person, when and how long they were there: analyse (Ctrl+R) first.</source>
        <translation>Für jede Person eine Zeile, wann und wie lange sie da war: zuerst analysieren (Strg+R).</translation>
    </message>
    <message>
        <source>A line; double-click or F2 renames it</source>
        <translation>Eine Linie; Doppelklick oder F2 benennt sie um</translation>
    </message>
    <message>
        <source>A map that needs more is refused.</source>
        <translation>Eine Karte, die mehr braucht, wird abgelehnt.</translation>
    </message>
    <message>
        <source>A message when an event begins, and when it ends</source>
        <translation>Eine Nachricht, wenn ein Ereignis beginnt und wenn es endet</translation>
    </message>
    <message>
        <source>A message when something is wrong with a camera for 3 s, and when all is well again</source>
        <translation>Eine Nachricht, wenn mit einer Kamera 3 s lang etwas nicht stimmt, und wenn alles wieder in Ordnung ist</translation>
    </message>
    <message>
        <source>A name that ends in .mp4, .mkv or .avi</source>
        <translation>Ein Name, der auf .mp4, .mkv oder .avi endet</translation>
    </message>
    <message>
        <source>A name that ends in .png</source>
        <translation>Ein Name, der auf .png endet</translation>
    </message>
    <message>
        <source>a new camera</source>
        <translation>neue Kamera</translation>
    </message>
    <message>
        <source>A new person this close to where a lost one was expected gets its ID; 0: never.</source>
        <translation>Eine neue Person so nahe am erwarteten Ort einer verlorenen bekommt deren ID; 0: nie.</translation>
    </message>
    <message>
        <source>A note about the selected event; Enter saves it</source>
        <translation>Eine Notiz zum gewählten Ereignis; Eingabe speichert sie</translation>
    </message>
    <message>
        <source>A pixel that differs by this or more votes 1; the mask begins halfway between the two thresholds.</source>
        <translation>Ein Pixel, das mindestens so weit abweicht, stimmt mit 1; die Maske beginnt in der Mitte zwischen beiden Schwellen.</translation>
    </message>
    <message>
        <source>A pixel that differs from the empty scene by no more than this votes 0.</source>
        <translation>Ein Pixel, das höchstens so weit von der leeren Szene abweicht, stimmt mit 0.</translation>
    </message>
    <message>
        <source>A pixel that is a darker version of a sample is not foreground.</source>
        <translation>Ein Pixel, das eine dunklere Fassung einer Stichprobe ist, ist kein Vordergrund.</translation>
    </message>
    <message>
        <source>A plane through the volume with the confidence on it</source>
        <translation>Eine Ebene durch das Volumen mit der Konfidenz darauf</translation>
    </message>
    <message>
        <source>A point needs a name.</source>
        <translation>Ein Punkt braucht einen Namen.</translation>
    </message>
    <message>
        <source>A point's name holds no comma, which files of points need.</source>
        <translation>Der Name eines Punkts enthält kein Komma; Punktdateien verlangen das.</translation>
    </message>
    <message>
        <source>A position in the world: x, y and z; the middle of the scene where all is in view</source>
        <translation>Ein Ort in der Welt: x, y und z; die Mitte der Szene, wenn alles im Bild ist</translation>
    </message>
    <message>
        <source>A sample explains a pixel that differs from it by less than this in B, G and R together.</source>
        <translation>Eine Stichprobe erklärt ein Pixel, das in B, G und R zusammen weniger als so weit von ihr abweicht.</translation>
    </message>
    <message>
        <source>A scatter plot shows two figures: the one chosen first lies along x, the other along y.</source>
        <translation>Ein Streudiagramm zeigt zwei Kennzahlen: Die zuerst gewählte liegt auf x, die andere auf y.</translation>
    </message>
    <message>
        <source>A second model, RTMPose, that finds the joints of these people; empty: none</source>
        <translation>Ein zweites Modell, RTMPose, das die Gelenke dieser Personen findet; leer: keines</translation>
    </message>
    <message>
        <source>A second parameter: every value of one is tried with every value of the other</source>
        <translation>Ein zweiter Parameter: Jeder Wert des einen wird mit jedem Wert des anderen ausprobiert</translation>
    </message>
    <message>
        <source>A second token: clients that send it can also mark events as seen, false alarm or exported, with a note; empty: no one can; kept in %1</source>
        <translation>Ein zweites Token: Clients, die es senden, können Ereignisse auch als gesehen, Fehlalarm oder exportiert vermerken, mit Notiz; leer: niemand kann es; gespeichert in %1</translation>
    </message>
    <message>
        <source>a time from the start (0:01 or 1.5 s), or a frame (25)</source>
        <translation>eine Zeit ab Beginn (0:01 oder 1,5 s) oder ein Bild (25)</translation>
    </message>
    <message>
        <source>a time of day (%1), one from the start (+0:01 or 1.5 s), or a frame (25)</source>
        <translation>eine Uhrzeit (%1), eine Zeit ab Beginn (+0:01 oder 1,5 s) oder ein Bild (25)</translation>
    </message>
    <message>
        <source>A variant (B) whose people and foreground are compared with those of the parameters in use (A)</source>
        <translation>Eine Variante (B), deren Personen und Vordergrund mit denen der verwendeten Parameter (A) verglichen werden</translation>
    </message>
    <message>
        <source>A view at a chosen size, with scale, colour bar and a caption, as a PNG file</source>
        <translation>Eine Ansicht in gewählter Größe, mit Maßstab, Farbskala und Unterschrift, als PNG-Datei</translation>
    </message>
    <message>
        <source>A view that does not see the point is skipped, or costs unseen_cost.</source>
        <translation>Eine Ansicht, die den Punkt nicht sieht, wird übergangen oder kostet unseen_cost.</translation>
    </message>
    <message>
        <source>A zone or line of the project, or one that is drawn for this search alone</source>
        <translation>Eine Zone oder Linie des Projekts oder eine nur für diese Suche gezeichnete</translation>
    </message>
    <message>
        <source>A zone; double-click or F2 renames it</source>
        <translation>Eine Zone; Doppelklick oder F2 benennt sie um</translation>
    </message>
    <message>
        <source>A: as it is now</source>
        <translation>A: wie es jetzt ist</translation>
    </message>
    <message>
        <source>about </source>
        <translation>etwa </translation>
    </message>
    <message>
        <source>about %1 frames</source>
        <translation>etwa %1 Bilder</translation>
    </message>
    <message>
        <source>about %1 h</source>
        <translation>etwa %1 h</translation>
    </message>
    <message>
        <source>about %1 min</source>
        <translation>etwa %1 min</translation>
    </message>
    <message>
        <source>about %1 s</source>
        <translation>etwa %1 s</translation>
    </message>
    <message>
        <source>About the line of sight, degrees</source>
        <translation>Um die Blickachse, Grad</translation>
    </message>
    <message>
        <source>About the picture's x axis, degrees</source>
        <translation>Um die x-Achse des Bilds, Grad</translation>
    </message>
    <message>
        <source>About the picture's y axis, degrees</source>
        <translation>Um die y-Achse des Bilds, Grad</translation>
    </message>
    <message>
        <source>&amp;About Vantage</source>
        <translation>&amp;Über Vantage</translation>
    </message>
    <message>
        <source>About Vantage</source>
        <translation>Über Vantage</translation>
    </message>
    <message>
        <source>Above the floor</source>
        <translation>Über dem Boden</translation>
    </message>
    <message>
        <source>Above: as in the project; below: as proposed. What lies on a line in one picture must lie on the same line in the other</source>
        <translation>Oben: wie im Projekt; unten: wie vorgeschlagen. Was in einem Bild auf einer Linie liegt, muss im anderen auf derselben liegen</translation>
    </message>
    <message>
        <source>Absolute path; started once for each message, without a shell</source>
        <translation>Absoluter Pfad; für jede Nachricht einmal gestartet, ohne Shell</translation>
    </message>
    <message>
        <source>Absorption rate</source>
        <translation>Aufnahmerate</translation>
    </message>
    <message>
        <source>Across x</source>
        <translation>Quer zu x</translation>
    </message>
    <message>
        <source>Across y</source>
        <translation>Quer zu y</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>Tätigkeit</translation>
    </message>
    <message>
        <source>Adaptive prior</source>
        <translation>Angepasste Erwartung</translation>
    </message>
    <message>
        <source>A&amp;dd</source>
        <translation>&amp;Hinzufügen</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add a board like the chosen one, whose IDs continue after those of the others; several boards place cameras that never see the same one</source>
        <translation>Eine Tafel wie die gewählte hinzufügen, deren IDs auf die der anderen folgen; mit mehreren Tafeln lassen sich Kameras einmessen, die nie dieselbe sehen</translation>
    </message>
    <message>
        <source>Add a broker, a web server or a program</source>
        <translation>Einen Broker, einen Webserver oder ein Programm hinzufügen</translation>
    </message>
    <message>
        <source>Add a live camera to the project, or start a project with it</source>
        <translation>Dem Projekt eine Live-Kamera hinzufügen oder ein Projekt mit ihr beginnen</translation>
    </message>
    <message>
        <source>Add a plot first.</source>
        <translation>Zuerst ein Diagramm hinzufügen.</translation>
    </message>
    <message>
        <source>Add B&amp;oard</source>
        <translation>Tafel h&amp;inzufügen</translation>
    </message>
    <message>
        <source>add board %1</source>
        <translation>Tafel %1 hinzufügen</translation>
    </message>
    <message>
        <source>&amp;Add Box</source>
        <translation>Quader &amp;hinzufügen</translation>
    </message>
    <message>
        <source>Add Calibration</source>
        <translation>Kalibrierung hinzufügen</translation>
    </message>
    <message>
        <source>Add Ca&amp;libration…</source>
        <translation>&amp;Kalibrierung hinzufügen…</translation>
    </message>
    <message>
        <source>Add Camera</source>
        <translation>Kamera hinzufügen</translation>
    </message>
    <message>
        <source>Add &amp;Camera…</source>
        <translation>&amp;Kamera hinzufügen…</translation>
    </message>
    <message>
        <source>Add Clip…</source>
        <translation>Clip…</translation>
    </message>
    <message>
        <source>Add Detections</source>
        <translation>Detektionen hinzufügen</translation>
    </message>
    <message>
        <source>Add Detectio&amp;ns…</source>
        <translation>Detektionen hin&amp;zufügen…</translation>
    </message>
    <message>
        <source>Add Empty-Scene Clips</source>
        <translation>Clips der leeren Szene hinzufügen</translation>
    </message>
    <message>
        <source>Add Empt&amp;y-Scene Clips…</source>
        <translation>&amp;Clips der leeren Szene…</translation>
    </message>
    <message>
        <source>Add &amp;Hand-Held Camera…</source>
        <translation>&amp;Handkamera hinzufügen…</translation>
    </message>
    <message>
        <source>Add it to the project</source>
        <translation>Zum Projekt hinzufügen</translation>
    </message>
    <message>
        <source>Add one video for each camera, and the calibration. Or drop the files here: videos, folders, calibrations. Without videos, a project can be made of another program's detections.</source>
        <translation>Je Kamera ein Video hinzufügen, und die Kalibrierung. Oder die Dateien hierher ziehen: Videos, Ordner, Kalibrierungen. Ohne Videos lässt sich ein Projekt aus Detektionen eines anderen Programms anlegen.</translation>
    </message>
    <message>
        <source>Add Plot</source>
        <translation>Diagramm hinzufügen</translation>
    </message>
    <message>
        <source>Add Plo&amp;t…</source>
        <translation>Dia&amp;gramm hinzufügen…</translation>
    </message>
    <message>
        <source>Add Plot…</source>
        <translation>Hinzufügen…</translation>
    </message>
    <message>
        <source>&amp;Add Rule</source>
        <translation>Regel &amp;hinzufügen</translation>
    </message>
    <message>
        <source>Add Videos</source>
        <translation>Videos hinzufügen</translation>
    </message>
    <message>
        <source>Add Vi&amp;deos…</source>
        <translation>&amp;Videos hinzufügen…</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>A&amp;dresse</translation>
    </message>
    <message>
        <source>A&amp;ddress</source>
        <translation>A&amp;dresse</translation>
    </message>
    <message>
        <source>adults</source>
        <translation>Erwachsene</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nach</translation>
    </message>
    <message>
        <source>After a click &amp;go on by</source>
        <translation>Nach dem &amp;Klick weiter um</translation>
    </message>
    <message>
        <source>after it ends</source>
        <translation>nach dem Ende</translation>
    </message>
    <message>
        <source>after the last bytes %1 ms</source>
        <translation>nach den letzten Bytes %1 ms</translation>
    </message>
    <message>
        <source>Again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Against %1, within 0.5 m.</source>
        <translation>Gegen %1, innerhalb von 0,5 m.</translation>
    </message>
    <message>
        <source>Against the truth drawn here, within 0.5 m.</source>
        <translation>Gegen die hier gezeichnete Referenz, innerhalb von 0,5 m.</translation>
    </message>
    <message>
        <source>Agreement</source>
        <translation>Übereinstimmung</translation>
    </message>
    <message>
        <source>agreement</source>
        <translation>Übereinstimmung</translation>
    </message>
    <message>
        <source>Agreement of</source>
        <translation>Übereinstimmung von</translation>
    </message>
    <message>
        <source>Agreement of the silhouettes</source>
        <translation>Übereinstimmung der Silhouetten</translation>
    </message>
    <message>
        <source>Agreement of the silhouettes now and as proposed</source>
        <translation>Übereinstimmung der Silhouetten jetzt und wie vorgeschlagen</translation>
    </message>
    <message>
        <source>Agreement over the offset</source>
        <translation>Übereinstimmung über dem Versatz</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>All %1 frames are analysed already, with these settings. Their results are replaced.</source>
        <translation>Alle %1 Bilder sind mit diesen Einstellungen schon analysiert. Ihre Ergebnisse werden ersetzt.</translation>
    </message>
    <message>
        <source>all boards</source>
        <translation>alle Tafeln</translation>
    </message>
    <message>
        <source>&amp;All Cameras</source>
        <translation>&amp;Alle Kameras</translation>
    </message>
    <message>
        <source>All cameras</source>
        <translation>Alle Kameras</translation>
    </message>
    <message>
        <source>All cameras are shown.</source>
        <translation>Alle Kameras werden gezeigt.</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>All frames</source>
        <translation>Alle Bilder</translation>
    </message>
    <message>
        <source>all in view</source>
        <translation>alles im Bild</translation>
    </message>
    <message>
        <source>All of these tools erase, as with Shift</source>
        <translation>Alle diese Werkzeuge radieren, wie mit Umschalt</translation>
    </message>
    <message>
        <source>All pairs of labels as published, or the same result in linear time.</source>
        <translation>Alle Paare von Stufen, wie veröffentlicht, oder dasselbe Ergebnis in linearer Zeit.</translation>
    </message>
    <message>
        <source>all poses as exact</source>
        <translation>alle Lagen als fehlerfrei</translation>
    </message>
    <message>
        <source>Allow it on this machine first.</source>
        <translation>Zuerst auf diesem Rechner erlauben.</translation>
    </message>
    <message>
        <source>Allow on this ma&amp;chine</source>
        <translation>Auf diesem Re&amp;chner erlauben</translation>
    </message>
    <message>
        <source>Along the world's x axis, centimetres</source>
        <translation>Entlang der x-Achse der Welt, Zentimeter</translation>
    </message>
    <message>
        <source>Along the world's y axis, centimetres</source>
        <translation>Entlang der y-Achse der Welt, Zentimeter</translation>
    </message>
    <message>
        <source>Also all_cameras.mp4: the cameras side by side, and where everybody is</source>
        <translation>Auch all_cameras.mp4: die Kameras nebeneinander und wo sich alle befinden</translation>
    </message>
    <message>
        <source>Also estimate the flow back, which shows where the flow can be trusted: twice the time.</source>
        <translation>Auch den Fluss zurück schätzen; er zeigt, wo dem Fluss zu trauen ist: doppelte Zeit.</translation>
    </message>
    <message>
        <source>Also the packets as they were recorded, from the key picture before the span on</source>
        <translation>Auch die Pakete, wie aufgezeichnet, ab dem Schlüsselbild vor der Spanne</translation>
    </message>
    <message>
        <source>Always show the last 10 s; off: hold the display</source>
        <translation>Immer die letzten 10 s zeigen; aus: Anzeige festhalten</translation>
    </message>
    <message>
        <source>An analysis is running.</source>
        <translation>Eine Analyse läuft.</translation>
    </message>
    <message>
        <source>Analyse</source>
        <translation>Analysieren</translation>
    </message>
    <message>
        <source>Analyse &amp;All</source>
        <translation>&amp;Alles analysieren</translation>
    </message>
    <message>
        <source>Analyse all</source>
        <translation>Alles analysieren</translation>
    </message>
    <message>
        <source>Analyse Anyway</source>
        <translation>Trotzdem analysieren</translation>
    </message>
    <message>
        <source>Analyse every frame</source>
        <translation>Jedes Bild analysieren</translation>
    </message>
    <message>
        <source>Analyse first.</source>
        <translation>Zuerst analysieren.</translation>
    </message>
    <message>
        <source>Analyse first: repairs change tracks of the results.</source>
        <translation>Zuerst analysieren: Korrekturen ändern Spuren der Ergebnisse.</translation>
    </message>
    <message>
        <source>Analyse first: results are measured by what was drawn.</source>
        <translation>Zuerst analysieren: Ergebnisse werden am Gezeichneten gemessen.</translation>
    </message>
    <message>
        <source>Analyse frames while they play; off: pictures only</source>
        <translation>Bilder beim Abspielen analysieren; aus: nur Bilder</translation>
    </message>
    <message>
        <source>&amp;Analyse on</source>
        <translation>Analysieren au&amp;f</translation>
    </message>
    <message>
        <source>Analyse &amp;Range</source>
        <translation>Be&amp;reich analysieren</translation>
    </message>
    <message>
        <source>Analyse range</source>
        <translation>Bereich analysieren</translation>
    </message>
    <message>
        <source>Analyse the marked range</source>
        <translation>Den markierten Bereich analysieren</translation>
    </message>
    <message>
        <source>Analyse the project first: the page is made of its results.</source>
        <translation>Zuerst das Projekt analysieren: Das Blatt entsteht aus seinen Ergebnissen.</translation>
    </message>
    <message>
        <source>Analyse While &amp;Playing</source>
        <translation>Beim Ab&amp;spielen analysieren</translation>
    </message>
    <message>
        <source>analysed</source>
        <translation>analysiert</translation>
    </message>
    <message>
        <source>Analysed frames kept in memory, to return to them at once</source>
        <translation>Analysierte Bilder im Speicher, um sofort zu ihnen zurückzukehren</translation>
    </message>
    <message>
        <source>A&amp;nalysed frames only</source>
        <translation>Nur a&amp;nalysierte Bilder</translation>
    </message>
    <message>
        <source>&amp;Analysis</source>
        <translation>Anal&amp;yse</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>and stays</source>
        <translation>und bleibt</translation>
    </message>
    <message>
        <source>and stays away</source>
        <translation>und bleibt weg</translation>
    </message>
    <message>
        <source>Angle</source>
        <translation>Winkel</translation>
    </message>
    <message>
        <source>Another</source>
        <translation>Andere</translation>
    </message>
    <message>
        <source>Another camera has this name.</source>
        <translation>Eine andere Kamera hat diesen Namen.</translation>
    </message>
    <message>
        <source>another pose from frame %1 on: turned by %2°, moved by %3 cm</source>
        <translation>ab Bild %1 andere Lage: gedreht um %2°, verschoben um %3 cm</translation>
    </message>
    <message>
        <source>Another rule</source>
        <translation>Eine weitere Regel</translation>
    </message>
    <message>
        <source>Another Tr&amp;ue Person</source>
        <translation>&amp;Weitere Referenzperson</translation>
    </message>
    <message>
        <source>another?</source>
        <translation>andere?</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>any free port</source>
        <translation>ein freier Port</translation>
    </message>
    <message>
        <source>any height</source>
        <translation>jede Größe</translation>
    </message>
    <message>
        <source>any time</source>
        <translation>jede Dauer</translation>
    </message>
    <message>
        <source>anybody</source>
        <translation>beliebige</translation>
    </message>
    <message>
        <source>Anyone who comes back within this time keeps the ID, where pictures show by clothes and height that it is the same person. 0: never.</source>
        <translation>Wer innerhalb dieser Zeit zurückkommt, behält die ID, wo Bilder an Kleidung und Größe zeigen, dass es dieselbe Person ist. 0: nie.</translation>
    </message>
    <message>
        <source>anywhere</source>
        <translation>irgendwo</translation>
    </message>
    <message>
        <source>Apparently, %1.</source>
        <translation>Offenbar %1.</translation>
    </message>
    <message>
        <source>Apparently, %1; confidence %2.</source>
        <translation>Offenbar %1; Konfidenz %2.</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Apply All</source>
        <translation>Alle übernehmen</translation>
    </message>
    <message>
        <source>Apply also changes the frame offsets of the cameras' videos; one Undo reverts both</source>
        <translation>Übernehmen ändert auch den Versatz der Kameravideos; ein Rückgängig nimmt beides zurück</translation>
    </message>
    <message>
        <source>Appl&amp;y Nudge</source>
        <translation>Feinjustierung &amp;übernehmen</translation>
    </message>
    <message>
        <source>Apply Proposed Cali&amp;bration</source>
        <translation>Vorgeschlagene Kali&amp;brierung übernehmen</translation>
    </message>
    <message>
        <source>Apply P&amp;roposed Offset</source>
        <translation>Vorgeschlagenen Versatz &amp;übernehmen</translation>
    </message>
    <message>
        <source>Apply the nudged camera to the project; can be undone</source>
        <translation>Die feinjustierte Kamera ins Projekt übernehmen; lässt sich rückgängig machen</translation>
    </message>
    <message>
        <source>Apply the offset found for %1</source>
        <translation>Den für %1 gefundenen Versatz übernehmen</translation>
    </message>
    <message>
        <source>Apply the offsets that were found to every camera</source>
        <translation>Den gefundenen Versatz für jede Kamera übernehmen</translation>
    </message>
    <message>
        <source>Appl&amp;y the offsets, too</source>
        <translation>Auch den &amp;Versatz übernehmen</translation>
    </message>
    <message>
        <source>Apply the proposed calibration; can be undone</source>
        <translation>Die vorgeschlagene Kalibrierung übernehmen; lässt sich rückgängig machen</translation>
    </message>
    <message>
        <source>area</source>
        <translation>Fläche</translation>
    </message>
    <message>
        <source>Argu&amp;ments</source>
        <translation>A&amp;rgumente</translation>
    </message>
    <message>
        <source>Arguments of the program, one a line, passed as they are</source>
        <translation>Argumente des Programms, eines je Zeile, unverändert übergeben</translation>
    </message>
    <message>
        <source>Arrows run from where a corner was seen to where the calibration shows it, enlarged; figures count corners in that part of the picture</source>
        <translation>Pfeile führen vergrößert vom Ort, an dem eine Ecke gesehen wurde, zu dem, wo die Kalibrierung sie zeigt; Zahlen zählen die Ecken in diesem Teil des Bilds</translation>
    </message>
    <message>
        <source>Arrows run from where a point was clicked to where the calibration shows it, enlarged; figures count clicks in that part of the picture</source>
        <translation>Pfeile führen vergrößert vom Ort, an dem ein Punkt angeklickt wurde, zu dem, wo die Kalibrierung ihn zeigt; Zahlen zählen die Klicks in diesem Teil des Bilds</translation>
    </message>
    <message>
        <source>as before</source>
        <translation>wie zuvor</translation>
    </message>
    <message>
        <source>as its clock states</source>
        <translation>wie ihre Uhr angibt</translation>
    </message>
    <message>
        <source>as measured</source>
        <translation>wie gemessen</translation>
    </message>
    <message>
        <source>As seen looking from the line's first end to its second</source>
        <translation>Beim Blick vom ersten zum zweiten Ende der Linie</translation>
    </message>
    <message>
        <source>as stated in the file</source>
        <translation>wie in der Datei</translation>
    </message>
    <message>
        <source>As the camera's manual states: rtsp://HOST/PATH, http://HOST/PATH, udp://:PORT</source>
        <translation>Wie im Handbuch der Kamera: rtsp://RECHNER/PFAD, http://RECHNER/PFAD, udp://:PORT</translation>
    </message>
    <message>
        <source>Ask the network's cameras for their streams by ONVIF (takes about 3 s)</source>
        <translation>Die Kameras im Netz über ONVIF nach ihren Datenströmen fragen (dauert etwa 3 s)</translation>
    </message>
    <message>
        <source>At (m)</source>
        <translation>Ort (m)</translation>
    </message>
    <message>
        <source>At least</source>
        <translation>Mindestens</translation>
    </message>
    <message>
        <source>At This &amp;Machine</source>
        <translation>An diesem &amp;Rechner</translation>
    </message>
    <message>
        <source>Auth&amp;orities</source>
        <translation>Zerti&amp;fizierungsstellen</translation>
    </message>
    <message>
        <source>Azimuth</source>
        <translation>Azimut</translation>
    </message>
    <message>
        <source>azimuth </source>
        <translation>Azimut </translation>
    </message>
    <message>
        <source>Azimuth and elevation in degrees, distance in metres</source>
        <translation>Azimut und Höhenwinkel in Grad, Abstand in Metern</translation>
    </message>
    <message>
        <source>B against A in the frames with ground truth. Intervals by paired blocks of frames: where one holds 0 these frames do not tell the two apart.</source>
        <translation>B gegen A in den Bildern mit Referenz. Intervalle aus gepaarten Bildblöcken: Wo eines die 0 enthält, unterscheiden diese Bilder die beiden nicht.</translation>
    </message>
    <message>
        <source>B does</source>
        <translation>B sagt</translation>
    </message>
    <message>
        <source>B is</source>
        <translation>B ist</translation>
    </message>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>&amp;Back up unsaved changes after</source>
        <translation>&amp;Ungespeichertes sichern nach</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Rechenwerk</translation>
    </message>
    <message>
        <source>Background models and tracks kept for replays: more memory makes distant frames appear faster</source>
        <translation>Hintergrundmodelle und Spuren für Wiederholungen: Mehr Speicher lässt entfernte Bilder schneller erscheinen</translation>
    </message>
    <message>
        <source>Background threshold</source>
        <translation>Hintergrundschwelle</translation>
    </message>
    <message>
        <source>&amp;Backwards</source>
        <translation>&amp;Rückwärts</translation>
    </message>
    <message>
        <source>Backwards, 1 cm</source>
        <translation>Rückwärts, 1 cm</translation>
    </message>
    <message>
        <source>Bare footage</source>
        <translation>Bloßes Material</translation>
    </message>
    <message>
        <source>base</source>
        <translation>Basis</translation>
    </message>
    <message>
        <source>base camera, in %1</source>
        <translation>Basiskamera, in %1</translation>
    </message>
    <message>
        <source>Baseline written to %1.</source>
        <translation>Vergleichsstand nach %1 geschrieben.</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorlauf</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>Begin with the flow of the frame before instead of none.</source>
        <translation>Mit dem Fluss des Bilds davor beginnen statt mit keinem.</translation>
    </message>
    <message>
        <source>being counted</source>
        <translation>wird gezählt</translation>
    </message>
    <message>
        <source>belief</source>
        <translation>Belief</translation>
    </message>
    <message>
        <source>Below it no offset is given.</source>
        <translation>Darunter wird kein Versatz angegeben.</translation>
    </message>
    <message>
        <source>best</source>
        <translation>bester</translation>
    </message>
    <message>
        <source>Best on the tuning span: %1, %2 %3.</source>
        <translation>Bester auf der Abstimmspanne: %1, %2 %3.</translation>
    </message>
    <message>
        <source>Best views</source>
        <translation>Beste Ansichten</translation>
    </message>
    <message>
        <source>best: %1</source>
        <translation>bester: %1</translation>
    </message>
    <message>
        <source>&amp;Bins</source>
        <translation>&amp;Klassen</translation>
    </message>
    <message>
        <source>Blended</source>
        <translation>Überblendet</translation>
    </message>
    <message>
        <source>Blink</source>
        <translation>Wechselbild</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <source>Blueness of shadows</source>
        <translation>Blauton der Schatten</translation>
    </message>
    <message>
        <source>&amp;Blurred</source>
        <translation>Unkenntlic&amp;h</translation>
    </message>
    <message>
        <source>B&amp;oard</source>
        <translation>Tafe&amp;l</translation>
    </message>
    <message>
        <source>Board</source>
        <translation>Tafel</translation>
    </message>
    <message>
        <source>board %1</source>
        <translation>Tafel %1</translation>
    </message>
    <message>
        <source>Board %1 was seen by %2, in %3 views.</source>
        <translation>Tafel %1 wurde von %2 gesehen, in %3 Ansichten.</translation>
    </message>
    <message>
        <source>board above the floor</source>
        <translation>Tafel über dem Boden</translation>
    </message>
    <message>
        <source>Board and cameras rest</source>
        <translation>Tafel und Kameras in Ruhe</translation>
    </message>
    <message>
        <source>Board in &amp;Own Video</source>
        <translation>Tafel im &amp;eigenen Video</translation>
    </message>
    <message>
        <source>board-%1-%2.pdf</source>
        <translation>tafel-%1-%2.pdf</translation>
    </message>
    <message>
        <source>Boards</source>
        <translation>Tafeln</translation>
    </message>
    <message>
        <source>Boards of caliscope and Kalibr (*.toml *.yaml *.yml)</source>
        <translation>Tafeln von caliscope und Kalibr (*.toml *.yaml *.yml)</translation>
    </message>
    <message>
        <source>Bookmark</source>
        <translation>Lesezeichen</translation>
    </message>
    <message>
        <source>&amp;Bookmark…</source>
        <translation>&amp;Lesezeichen…</translation>
    </message>
    <message>
        <source>Border</source>
        <translation>Rand</translation>
    </message>
    <message>
        <source>Both are closer than this on the floor, in metres</source>
        <translation>Beide sind am Boden näher als dies, in Metern</translation>
    </message>
    <message>
        <source>Both ends of this line are at the same point.</source>
        <translation>Beide Enden dieser Linie liegen am selben Punkt.</translation>
    </message>
    <message>
        <source>bottom</source>
        <translation>unten</translation>
    </message>
    <message>
        <source>&amp;Box</source>
        <translation>&amp;Quader</translation>
    </message>
    <message>
        <source>Box</source>
        <translation>Quader</translation>
    </message>
    <message>
        <source>Box to P&amp;oints</source>
        <translation>Quader auf P&amp;unkte</translation>
    </message>
    <message>
        <source>Boxes</source>
        <translation>Quader</translation>
    </message>
    <message>
        <source>boxes of %1 frames ago</source>
        <translation>Rechtecke von vor %1 Bildern</translation>
    </message>
    <message>
        <source>Boxes of people from the model or the files that the project names; without either nothing is done.</source>
        <translation>Rechtecke von Personen aus dem Modell oder den Dateien, die das Projekt nennt; ohne beides geschieht nichts.</translation>
    </message>
    <message>
        <source>boxes of the previous frame</source>
        <translation>Rechtecke des vorigen Bilds</translation>
    </message>
    <message>
        <source>Boxes or keypoints of people from another program; matched by name, or without videos one per camera</source>
        <translation>Rechtecke oder Schlüsselpunkte von Personen aus einem anderen Programm; nach Namen zugeordnet, oder ohne Videos eine je Kamera</translation>
    </message>
    <message>
        <source>Boxes with a lower score are drawn dimmed in the views; fusion.min_score decides which are evidence.</source>
        <translation>Rechtecke mit kleinerem Wert werden in den Ansichten gedimmt gezeichnet; fusion.min_score entscheidet, welche als Beleg gelten.</translation>
    </message>
    <message>
        <source>Boxes with a lower score are left out.</source>
        <translation>Rechtecke mit kleinerem Wert werden ausgelassen.</translation>
    </message>
    <message>
        <source>Broker (MQTT 5)</source>
        <translation>Broker (MQTT 5)</translation>
    </message>
    <message>
        <source>&amp;Brush</source>
        <translation>&amp;Pinsel</translation>
    </message>
    <message>
        <source>B&amp;rush</source>
        <translation>&amp;Pinsel</translation>
    </message>
    <message>
        <source>built-in chime</source>
        <translation>eingebauter Gong</translation>
    </message>
    <message>
        <source>Bumped cameras are being searched for.</source>
        <translation>Angestoßene Kameras werden gesucht.</translation>
    </message>
    <message>
        <source>Bumped cameras are found in recordings.</source>
        <translation>Angestoßene Kameras werden in Aufzeichnungen gesucht.</translation>
    </message>
    <message>
        <source>Bumped cameras get a calibration from their jump on; earlier frames keep theirs. "Floor" is the error of positions there without it.</source>
        <translation>Angestoßene Kameras bekommen ab dem Sprung eine Kalibrierung; frühere Bilder behalten ihre. „Boden“ ist der Ortsfehler dort ohne sie.</translation>
    </message>
    <message>
        <source>By %L1 boxes of people whom another camera shows, too.</source>
        <translation>Nach %L1 Rahmen von Personen, die auch eine andere Kamera zeigt.</translation>
    </message>
    <message>
        <source>By height</source>
        <translation>Nach Höhe</translation>
    </message>
    <message>
        <source>By number of cameras</source>
        <translation>Nach Zahl der Kameras</translation>
    </message>
    <message>
        <source>By N&amp;umbers</source>
        <translation>Mit &amp;Zahlen</translation>
    </message>
    <message>
        <source>By person</source>
        <translation>Nach Person</translation>
    </message>
    <message>
        <source>By the block bootstrap over the compared frames</source>
        <translation>Durch Block-Bootstrap über die verglichenen Bilder</translation>
    </message>
    <message>
        <source>by the number of values</source>
        <translation>nach der Zahl der Werte</translation>
    </message>
    <message>
        <source>By the time code in the pictures: results %1 ms after capture (95 % within %2 ms).</source>
        <translation>Nach dem Zeitcode in den Bildern: Ergebnisse %1 ms nach der Aufnahme (95 % innerhalb von %2 ms).</translation>
    </message>
    <message>
        <source>Cali&amp;brate</source>
        <translation>Kali&amp;brierung</translation>
    </message>
    <message>
        <source>Calibrate</source>
        <translation>Kalibrieren</translation>
    </message>
    <message>
        <source>Calibrated camera</source>
        <translation>Kalibrierte Kamera</translation>
    </message>
    <message>
        <source>calibrated camera</source>
        <translation>kalibrierte Kamera</translation>
    </message>
    <message>
        <source>Calibration at frame %1 written to %2.</source>
        <translation>Kalibrierung bei Bild %1 nach %2 geschrieben.</translation>
    </message>
    <message>
        <source>Calibration written to %1.</source>
        <translation>Kalibrierung nach %1 geschrieben.</translation>
    </message>
    <message>
        <source>Calibrations (%1);;All files (*)</source>
        <translation>Kalibrierungen (%1);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>&amp;Calibration…</source>
        <translation>&amp;Kalibrierung…</translation>
    </message>
    <message>
        <source>&amp;Camera</source>
        <translation>&amp;Kamera</translation>
    </message>
    <message>
        <source>Ca&amp;mera</source>
        <translation>Ka&amp;mera</translation>
    </message>
    <message>
        <source>Camera</source>
        <translation>Kamera</translation>
    </message>
    <message>
        <source>Camera %1</source>
        <translation>Kamera %1</translation>
    </message>
    <message>
        <source>Camera to nudge</source>
        <translation>Feinzujustierende Kamera</translation>
    </message>
    <message>
        <source>Camera whose proposed offset is shown</source>
        <translation>Kamera, deren vorgeschlagener Versatz gezeigt wird</translation>
    </message>
    <message>
        <source>&amp;Cameras</source>
        <translation>&amp;Kameras</translation>
    </message>
    <message>
        <source>Ca&amp;meras</source>
        <translation>Ka&amp;meras</translation>
    </message>
    <message>
        <source>Cameras</source>
        <translation>Kameras</translation>
    </message>
    <message>
        <source>cameras</source>
        <translation>Kameras</translation>
    </message>
    <message>
        <source>Cameras and &amp;Scene</source>
        <translation>Kameras und &amp;Szene</translation>
    </message>
    <message>
        <source>Cameras and scene have windows of their own: Ctrl+Shift+1 and Ctrl+Shift+2.</source>
        <translation>Kameras und Szene haben eigene Fenster: Strg+Umschalt+1 und Strg+Umschalt+2.</translation>
    </message>
    <message>
        <source>Cameras are being placed by people.</source>
        <translation>Kameras werden durch Personen eingemessen.</translation>
    </message>
    <message>
        <source>Cameras are being solved by a board.</source>
        <translation>Kameras werden durch eine Tafel berechnet.</translation>
    </message>
    <message>
        <source>Cameras are being solved from footage.</source>
        <translation>Kameras werden aus Aufnahmen bestimmt.</translation>
    </message>
    <message>
        <source>Cameras are being solved…</source>
        <translation>Kameras werden bestimmt …</translation>
    </message>
    <message>
        <source>Cameras are placed relative to each other: two or more are needed.</source>
        <translation>Kameras werden zueinander bestimmt: Mindestens zwei sind nötig.</translation>
    </message>
    <message>
        <source>Cameras are solved from recordings: record the live cameras first.</source>
        <translation>Kameras werden aus Aufzeichnungen bestimmt: Zuerst die Livekameras aufzeichnen.</translation>
    </message>
    <message>
        <source>Cameras by people</source>
        <translation>Kameras durch Personen</translation>
    </message>
    <message>
        <source>Cameras connected to this machine</source>
        <translation>An diesen Rechner angeschlossene Kameras</translation>
    </message>
    <message>
        <source>Cameras cover %1 % of %2</source>
        <translation>Kameras decken %1 % von %2 ab</translation>
    </message>
    <message>
        <source>Cameras found</source>
        <translation>Gefundene Kameras</translation>
    </message>
    <message>
        <source>Cameras in which it was clicked</source>
        <translation>Kameras, in denen er angeklickt wurde</translation>
    </message>
    <message>
        <source>Cameras on A&amp;nother Screen</source>
        <translation>Kameras auf &amp;anderem Bildschirm</translation>
    </message>
    <message>
        <source>&amp;Cameras Only</source>
        <translation>Nur &amp;Kameras</translation>
    </message>
    <message>
        <source>Cameras stand still, and show people as a whole who walk all over the floor, and turn, for 20 s or more; two cameras or more show the same people. Lenses, poses, offsets and scale are solved, and nothing changes until they are applied.</source>
        <translation>Die Kameras stehen still und zeigen 20 s oder länger ganze Personen, die überall auf dem Boden gehen und sich wenden; mindestens zwei Kameras zeigen dieselben. Linsen, Lagen, Versätze und Maßstab werden bestimmt, und nichts ändert sich, bis sie übernommen werden.</translation>
    </message>
    <message>
        <source>Cameras started so many seconds apart at most; 0: all together</source>
        <translation>Höchstens so viele Sekunden liegen zwischen den Anfängen der Kameras; 0: alle zugleich</translation>
    </message>
    <message>
        <source>Cameras that must have found the point.</source>
        <translation>Kameras, die den Punkt gefunden haben müssen.</translation>
    </message>
    <message>
        <source>Cameras that must see a place before it counts; all, where there are fewer.</source>
        <translation>Kameras, die einen Ort sehen müssen, damit er zählt; alle, wo es weniger sind.</translation>
    </message>
    <message>
        <source>Cameras to calibrate</source>
        <translation>Zu kalibrierende Kameras</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel the check</source>
        <translation>Die Prüfung abbrechen</translation>
    </message>
    <message>
        <source>Cancel, without a new project</source>
        <translation>Abbrechen, ohne neues Projekt</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>nicht lesbar</translation>
    </message>
    <message>
        <source>cannot tell</source>
        <translation>unklar</translation>
    </message>
    <message>
        <source>cannot tell: %1</source>
        <translation>nicht zu entscheiden: %1</translation>
    </message>
    <message>
        <source>Carried from board to board: it links cameras that share no view, and is not one of the project's</source>
        <translation>Von Tafel zu Tafel getragen: verbindet Kameras ohne gemeinsame Sicht und gehört nicht zu denen des Projekts</translation>
    </message>
    <message>
        <source>Carr&amp;y frames</source>
        <translation>&amp;Bilder weiter</translation>
    </message>
    <message>
        <source>Carry &amp;On</source>
        <translation>&amp;Weitertragen</translation>
    </message>
    <message>
        <source>Carry the masks of this frame to a later one by the optical flow, and go there; masks that are there stay</source>
        <translation>Die Masken dieses Bilds durch den optischen Fluss in ein späteres tragen und dorthin gehen; vorhandene Masken bleiben</translation>
    </message>
    <message>
        <source>Carrying masks</source>
        <translation>Masken weitertragen</translation>
    </message>
    <message>
        <source>case exported</source>
        <translation>Fall exportiert</translation>
    </message>
    <message>
        <source>Case exported to %1: %2 videos of %3 frames.</source>
        <translation>Fall nach %1 exportiert: %2 Videos mit %3 Bildern.</translation>
    </message>
    <message>
        <source>C&amp;ase…</source>
        <translation>F&amp;all…</translation>
    </message>
    <message>
        <source>Cb that a shadow adds for each grey level of brightness that it takes.</source>
        <translation>Cb, das ein Schatten je genommener Graustufe hinzufügt.</translation>
    </message>
    <message>
        <source>Cell size</source>
        <translation>Zellengröße</translation>
    </message>
    <message>
        <source>&amp;Certificate</source>
        <translation>&amp;Zertifikat</translation>
    </message>
    <message>
        <source>certificate checked</source>
        <translation>Zertifikat geprüft</translation>
    </message>
    <message>
        <source>certificate not checked</source>
        <translation>Zertifikat nicht geprüft</translation>
    </message>
    <message>
        <source>change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Change of the mean against the baseline's</source>
        <translation>Änderung des Mittels gegenüber dem Vergleichsstand</translation>
    </message>
    <message>
        <source>Change Plot</source>
        <translation>Diagramm ändern</translation>
    </message>
    <message>
        <source>Change Plot…</source>
        <translation>Diagramm ändern…</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>Ändern…</translation>
    </message>
    <message>
        <source>ChArUco %1 × %2, IDs %3 to %4, %5</source>
        <translation>ChArUco %1 × %2, IDs %3 bis %4, %5</translation>
    </message>
    <message>
        <source>ChArUco: markers in light squares</source>
        <translation>ChArUco: Marker in hellen Feldern</translation>
    </message>
    <message>
        <source>&amp;Check</source>
        <translation>&amp;Prüfen</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>Check all of it</source>
        <translation>Alles prüfen</translation>
    </message>
    <message>
        <source>Check interval</source>
        <translation>Prüfabstand</translation>
    </message>
    <message>
        <source>Check it: Ctrl+F7</source>
        <translation>Prüfen: Strg+F7</translation>
    </message>
    <message>
        <source>check the network</source>
        <translation>Netz prüfen</translation>
    </message>
    <message>
        <source>check the network and the camera's load</source>
        <translation>das Netz und die Last der Kamera prüfen</translation>
    </message>
    <message>
        <source>Check videos, foreground, calibration, disk and time on a few frames</source>
        <translation>Videos, Vordergrund, Kalibrierung, Speicherplatz und Zeit an einigen Bildern prüfen</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>Prüft</translation>
    </message>
    <message>
        <source>Checking a few frames of every camera…</source>
        <translation>Einige Bilder jeder Kamera werden geprüft…</translation>
    </message>
    <message>
        <source>Checking before the analysis</source>
        <translation>Prüfung vor der Analyse</translation>
    </message>
    <message>
        <source>Checking. %1</source>
        <translation>Prüft. %1</translation>
    </message>
    <message>
        <source>&amp;Checks</source>
        <translation>&amp;Prüfungen</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>Prüfungen</translation>
    </message>
    <message>
        <source>Checks are for recordings; F10 shows the health of live cameras.</source>
        <translation>Prüfungen gelten Aufzeichnungen; F10 zeigt den Zustand von Live-Kameras.</translation>
    </message>
    <message>
        <source>chessboard</source>
        <translation>Schachbrett</translation>
    </message>
    <message>
        <source>chessboard %1 × %2, %3 mm</source>
        <translation>Schachbrett %1 × %2, %3 mm</translation>
    </message>
    <message>
        <source>Choose %1</source>
        <translation>%1 auswählen</translation>
    </message>
    <message>
        <source>Choose a bin of a histogram first: click on it.</source>
        <translation>Zuerst eine Klasse eines Histogramms anklicken.</translation>
    </message>
    <message>
        <source>Choose a clip of the empty scene</source>
        <translation>Einen Clip der leeren Szene auswählen</translation>
    </message>
    <message>
        <source>Choose a clip of the empty scene, to learn the background from</source>
        <translation>Einen Clip der leeren Szene auswählen, aus dem der Hintergrund gelernt wird</translation>
    </message>
    <message>
        <source>Choose a figure in the list.</source>
        <translation>Eine Kennzahl in der Liste auswählen.</translation>
    </message>
    <message>
        <source>Choose a file of boxes or keypoints of people in this camera's picture, from another program or vantage-cli detections</source>
        <translation>Eine Datei mit Rechtecken oder Schlüsselpunkten von Personen in diesem Kamerabild auswählen, aus einem anderen Programm oder vantage-cli detections</translation>
    </message>
    <message>
        <source>choose a file…</source>
        <translation>Datei auswählen…</translation>
    </message>
    <message>
        <source>Choose a metric.</source>
        <translation>Ein Maß auswählen.</translation>
    </message>
    <message>
        <source>Choose a Model</source>
        <translation>Modell wählen</translation>
    </message>
    <message>
        <source>Choose a parameter.</source>
        <translation>Einen Parameter auswählen.</translation>
    </message>
    <message>
        <source>Choose a person first: click one in a view or a lane.</source>
        <translation>Zuerst eine Person auswählen: in einer Ansicht oder Zeile anklicken.</translation>
    </message>
    <message>
        <source>Choose a person in the list of true people first.</source>
        <translation>Zuerst eine Person in der Liste der Referenzpersonen auswählen.</translation>
    </message>
    <message>
        <source>Choose a picture: its arrows stand out; without its tick it is left out</source>
        <translation>Eine Aufnahme auswählen: Ihre Pfeile treten hervor; ohne Haken wird sie ausgelassen</translation>
    </message>
    <message>
        <source>Choose a point: its arrows stand out</source>
        <translation>Einen Punkt auswählen: Seine Pfeile treten hervor</translation>
    </message>
    <message>
        <source>Choose a second person: Ctrl+click one in a view or a lane.</source>
        <translation>Eine zweite Person auswählen: Strg+Klick in einer Ansicht oder Zeile.</translation>
    </message>
    <message>
        <source>Choose a value in the table of the sweep first.</source>
        <translation>Zuerst einen Wert in der Tabelle der Wertereihe auswählen.</translation>
    </message>
    <message>
        <source>Choose a value to see its worst frames.</source>
        <translation>Einen Wert auswählen, um seine schlechtesten Bilder zu sehen.</translation>
    </message>
    <message>
        <source>Choose a variant first.</source>
        <translation>Zuerst eine Variante auswählen.</translation>
    </message>
    <message>
        <source>Choose a variant to see how it differs.</source>
        <translation>Eine Variante auswählen, um ihre Unterschiede zu sehen.</translation>
    </message>
    <message>
        <source>Choose a zone or a line in the list first.</source>
        <translation>Zuerst eine Zone oder Linie in der Liste auswählen.</translation>
    </message>
    <message>
        <source>Choose an ignored region first (Shift+G, or a click on it while Shift+I is on).</source>
        <translation>Zuerst einen ignorierten Bereich wählen (Umschalt+G, oder ein Klick darauf, solange Umschalt+I an ist).</translation>
    </message>
    <message>
        <source>Choose at least one camera.</source>
        <translation>Mindestens eine Kamera auswählen.</translation>
    </message>
    <message>
        <source>Choose Brush or Grow first.</source>
        <translation>Zuerst Pinsel oder Zauberstab wählen.</translation>
    </message>
    <message>
        <source>Choose cameras in the list of the board's pictures first.</source>
        <translation>Zuerst Kameras in der Liste der Tafelaufnahmen auswählen.</translation>
    </message>
    <message>
        <source>Choose Ne&amp;xt Ignored Region</source>
        <translation>Nä&amp;chsten ignorierten Bereich wählen</translation>
    </message>
    <message>
        <source>Choose one camera in the list of the board's pictures first.</source>
        <translation>Zuerst eine Kamera in der Liste der Tafelaufnahmen auswählen.</translation>
    </message>
    <message>
        <source>Choose one: the fields below are its</source>
        <translation>Eine auswählen: Die Felder darunter gehören zu ihr</translation>
    </message>
    <message>
        <source>Choose other figures or another kind for the chosen plot</source>
        <translation>Andere Kennzahlen oder eine andere Art für das gewählte Diagramm wählen</translation>
    </message>
    <message>
        <source>Choose points in the list first.</source>
        <translation>Zuerst Punkte in der Liste auswählen.</translation>
    </message>
    <message>
        <source>Choose the file</source>
        <translation>Datei auswählen</translation>
    </message>
    <message>
        <source>Choose the models that detect people and their joints</source>
        <translation>Die Modelle wählen, die Personen und ihre Gelenke erkennen</translation>
    </message>
    <message>
        <source>Choose the next box: it gets the handles</source>
        <translation>Den nächsten Quader auswählen: er bekommt die Griffe</translation>
    </message>
    <message>
        <source>Choose the next ignored region</source>
        <translation>Den nächsten ignorierten Bereich wählen</translation>
    </message>
    <message>
        <source>Choose the next person</source>
        <translation>Die nächste Person auswählen</translation>
    </message>
    <message>
        <source>Choose the previous person</source>
        <translation>Die vorige Person auswählen</translation>
    </message>
    <message>
        <source>Choose three points in the list first.</source>
        <translation>Zuerst drei Punkte in der Liste auswählen.</translation>
    </message>
    <message>
        <source>Choose three points of the floor in the list first.</source>
        <translation>Zuerst drei Bodenpunkte in der Liste auswählen.</translation>
    </message>
    <message>
        <source>Choose two different parameters.</source>
        <translation>Zwei verschiedene Parameter auswählen.</translation>
    </message>
    <message>
        <source>Choose two points in the list first.</source>
        <translation>Zuerst zwei Punkte in der Liste auswählen.</translation>
    </message>
    <message>
        <source>Choose where the folder is made</source>
        <translation>Auswählen, wo der Ordner angelegt wird</translation>
    </message>
    <message>
        <source>choose…</source>
        <translation>auswählen…</translation>
    </message>
    <message>
        <source>chosen %1</source>
        <translation>gewählt %1</translation>
    </message>
    <message>
        <source>Chosen figures</source>
        <translation>Gewählte Kennzahlen</translation>
    </message>
    <message>
        <source>Chosen: %1</source>
        <translation>Gewählt: %1</translation>
    </message>
    <message>
        <source>chosen: %1</source>
        <translation>gewählt: %1</translation>
    </message>
    <message>
        <source>Chosen: %1 along x, %2 along y</source>
        <translation>Gewählt: %1 auf x, %2 auf y</translation>
    </message>
    <message>
        <source>&amp;Chrome Trace…</source>
        <translation>&amp;Chrome-Trace…</translation>
    </message>
    <message>
        <source>Circle the heads and show their heights in metres</source>
        <translation>Die Köpfe einkreisen und ihre Höhe in Metern zeigen</translation>
    </message>
    <message>
        <source>Class of people</source>
        <translation>Klasse der Personen</translation>
    </message>
    <message>
        <source>Clear Marks</source>
        <translation>Marken löschen</translation>
    </message>
    <message>
        <source>&amp;Clear Range</source>
        <translation>Bereich au&amp;fheben</translation>
    </message>
    <message>
        <source>Clear the marked instants</source>
        <translation>Die markierten Augenblicke löschen</translation>
    </message>
    <message>
        <source>Clear the marked range</source>
        <translation>Den markierten Bereich aufheben</translation>
    </message>
    <message>
        <source>click</source>
        <translation>Klick</translation>
    </message>
    <message>
        <source>Click a bin: go to its first frame; again: to the next. Right button: menu</source>
        <translation>Klick auf eine Klasse: zu ihrem ersten Bild; erneut: zum nächsten. Rechte Taste: Menü</translation>
    </message>
    <message>
        <source>Click a cell, or press the arrows, to choose it; right button or menu key: save the heat map</source>
        <translation>Eine Zelle anklicken oder mit den Pfeilen auswählen; rechte Taste oder Menütaste: Karte speichern</translation>
    </message>
    <message>
        <source>Click a colour: what is joined to it and within the tolerance becomes mask; Shift erases</source>
        <translation>Eine Farbe anklicken: Was mit ihr verbunden und innerhalb der Toleranz ist, wird Maske; Umschalt radiert</translation>
    </message>
    <message>
        <source>Click a hole of a mask to fill it; with Shift a body, to erase it</source>
        <translation>Ein Loch einer Maske anklicken, um es zu füllen; mit Umschalt einen Körper, um ihn zu löschen</translation>
    </message>
    <message>
        <source>Click a mark in several cameras; drag moves a click, Return begins the next point, Delete removes it, Esc ends</source>
        <translation>Eine Marke in mehreren Kameras anklicken; Ziehen verschiebt einen Klick, Eingabe beginnt den nächsten Punkt, Entf löscht ihn, Esc beendet</translation>
    </message>
    <message>
        <source>Click a pixel of the picture or the map.</source>
        <translation>Ein Pixel des Bilds oder der Karte anklicken.</translation>
    </message>
    <message>
        <source>Click a pixel to see its data cost, messages and belief; Alt and the arrow keys move it</source>
        <translation>Ein Pixel anklicken, um Datenkosten, Nachrichten und Belief zu sehen; Alt und Pfeiltasten verschieben es</translation>
    </message>
    <message>
        <source>Click a point of the floor in a picture and one straight above it, or drag; Esc ends</source>
        <translation>In einem Bild einen Bodenpunkt und einen senkrecht darüber anklicken, oder ziehen; Esc beendet</translation>
    </message>
    <message>
        <source>Click a point, or press Left and Right, to choose it; right button or menu key: save the plot</source>
        <translation>Einen Punkt anklicken oder mit Links und Rechts auswählen; rechte Taste oder Menütaste: Diagramm speichern</translation>
    </message>
    <message>
        <source>Click a point: go to its frame. Right button: menu</source>
        <translation>Klick auf einen Punkt: zu seinem Bild. Rechte Taste: Menü</translation>
    </message>
    <message>
        <source>Click a span to see its figures.</source>
        <translation>Einen Abschnitt anklicken, um seine Zahlen zu sehen.</translation>
    </message>
    <message>
        <source>Click corners around what does not count: a time stamp, a screen, a road. A double-click, the first corner or Return closes; Backspace removes the last; Esc ends. A click on a region chooses it</source>
        <translation>Ecken um das klicken, was nicht zählt: Zeitstempel, Bildschirm, Straße. Doppelklick, erste Ecke oder Eingabe schließt; Rückschritt entfernt die letzte; Esc beendet. Ein Klick auf einen Bereich wählt ihn</translation>
    </message>
    <message>
        <source>Click it in two cameras, or type its coordinates</source>
        <translation>In zwei Kameras anklicken oder seine Koordinaten eingeben</translation>
    </message>
    <message>
        <source>Click or drag between two points of the floor, in a picture or the scene; Esc ends</source>
        <translation>Klicken oder ziehen zwischen zwei Bodenpunkten, in einem Bild oder der Szene; Esc beendet</translation>
    </message>
    <message>
        <source>Click or drag on the floor in a camera's picture or in the scene; a height in a picture: from the floor straight up. Esc ends.</source>
        <translation>Am Boden im Bild einer Kamera oder in der Szene klicken oder ziehen; eine Höhe in einem Bild: vom Boden senkrecht nach oben. Esc beendet.</translation>
    </message>
    <message>
        <source>Click or drag to go to a frame; the wheel zooms.</source>
        <translation>Klicken oder ziehen geht zu einem Bild; das Mausrad vergrößert.</translation>
    </message>
    <message>
        <source>Click &amp;Points</source>
        <translation>&amp;Punkte anklicken</translation>
    </message>
    <message>
        <source>Click points first.</source>
        <translation>Zuerst Punkte anklicken.</translation>
    </message>
    <message>
        <source>Click Points: click the same mark in several cameras; Return begins the next one. Marks that stand still: corners, tape, a tripod's foot.</source>
        <translation>Punkte anklicken: dieselbe Marke in mehreren Kameras anklicken; Eingabe beginnt die nächste. Marken, die still stehen: Ecken, Klebeband, ein Stativfuß.</translation>
    </message>
    <message>
        <source>Click the corners of a mask; a double click or the first corner closes it; Shift erases; Esc drops it</source>
        <translation>Die Ecken einer Maske anklicken; Doppelklick oder die erste Ecke schließt; Umschalt radiert; Esc verwirft</translation>
    </message>
    <message>
        <source>Click the line's two ends on the floor; people who cross it are counted</source>
        <translation>Die zwei Enden der Linie am Boden anklicken; Personen, die sie überqueren, werden gezählt</translation>
    </message>
    <message>
        <source>Click the zone's corners on the floor; Return or a double-click ends it, Esc cancels</source>
        <translation>Die Ecken der Zone am Boden anklicken; Eingabe oder Doppelklick schließt ab, Esc bricht ab</translation>
    </message>
    <message>
        <source>Click three corners of a polygon first.</source>
        <translation>Zuerst drei Ecken eines Polygons anklicken.</translation>
    </message>
    <message>
        <source>Click three points of the floor: the angle at the second; Esc ends</source>
        <translation>Drei Bodenpunkte anklicken: der Winkel am zweiten; Esc beendet</translation>
    </message>
    <message>
        <source>Click where people stand, in pictures or the scene, to measure results by it; Esc ends</source>
        <translation>Anklicken, wo Personen stehen, in Bildern oder der Szene, um Ergebnisse daran zu messen; Esc beendet</translation>
    </message>
    <message>
        <source>Click where the feet of the chosen person are, in a picture or the scene; drag a diamond to move it. Between the frames that you set, people walk straight on.</source>
        <translation>Anklicken, wo die Füße der gewählten Person sind, in einem Bild oder der Szene; eine Raute ziehen, um sie zu verschieben. Zwischen den gesetzten Bildern gehen Personen geradeaus.</translation>
    </message>
    <message>
        <source>Click: go to the frame. Drag: mark a range. Wheel: zoom; with Shift: move. Right button: menu</source>
        <translation>Klick: zum Bild gehen. Ziehen: Bereich markieren. Mausrad: vergrößern; mit Umschalt: verschieben. Rechte Taste: Menü</translation>
    </message>
    <message>
        <source>Clicked points</source>
        <translation>Angeklickte Punkte</translation>
    </message>
    <message>
        <source>Clicks</source>
        <translation>Klicks</translation>
    </message>
    <message>
        <source>clicks</source>
        <translation>Klicks</translation>
    </message>
    <message>
        <source>Clicks miss</source>
        <translation>Klicks</translation>
    </message>
    <message>
        <source>clip and detections</source>
        <translation>Clip und Detektionen</translation>
    </message>
    <message>
        <source>Clip of the Empty Scene of %1</source>
        <translation>Clip der leeren Szene von %1</translation>
    </message>
    <message>
        <source>Clips are out of step</source>
        <translation>Clips sind nicht synchron</translation>
    </message>
    <message>
        <source>Clips without people, to learn the background from; matched by name</source>
        <translation>Clips ohne Personen, aus denen der Hintergrund gelernt wird; nach Namen zugeordnet</translation>
    </message>
    <message>
        <source>Clip…</source>
        <translation>Clip…</translation>
    </message>
    <message>
        <source>Cl&amp;ock</source>
        <translation>&amp;Uhrzeit</translation>
    </message>
    <message>
        <source>clock %1%2 s</source>
        <translation>Uhr %1%2 s</translation>
    </message>
    <message>
        <source>clock of this machine</source>
        <translation>Uhr dieses Rechners</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>&amp;Close Polygon</source>
        <translation>Polygon &amp;schließen</translation>
    </message>
    <message>
        <source>&amp;Close Project</source>
        <translation>Projekt s&amp;chließen</translation>
    </message>
    <message>
        <source>Close the project</source>
        <translation>Das Projekt schließen</translation>
    </message>
    <message>
        <source>Close this dialog</source>
        <translation>Diesen Dialog schließen</translation>
    </message>
    <message>
        <source>Closer than</source>
        <translation>Näher als</translation>
    </message>
    <message>
        <source>coarse, %1 × %1 pixels each</source>
        <translation>grob, je %1 × %1 Pixel</translation>
    </message>
    <message>
        <source>&amp;Collect</source>
        <translation>&amp;Sammeln</translation>
    </message>
    <message>
        <source>Collect Project</source>
        <translation>Projekt sammeln</translation>
    </message>
    <message>
        <source>Collec&amp;t Project…</source>
        <translation>Projek&amp;t sammeln…</translation>
    </message>
    <message>
        <source>&amp;Colour by Person</source>
        <translation>&amp;Farbe nach Person</translation>
    </message>
    <message>
        <source>Colour jitter</source>
        <translation>Farbstreuung</translation>
    </message>
    <message>
        <source>Colour the volume by person; off: by height</source>
        <translation>Das Volumen nach Person färben; aus: nach Höhe</translation>
    </message>
    <message>
        <source>Colour weight</source>
        <translation>Farbgewicht</translation>
    </message>
    <message>
        <source>Colour weight in shade</source>
        <translation>Farbgewicht im Schatten</translation>
    </message>
    <message>
        <source>Colours of people</source>
        <translation>Farben der Personen</translation>
    </message>
    <message>
        <source>Colours of the window</source>
        <translation>Farben des Fensters</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Combine views</source>
        <translation>Ansichten verknüpfen</translation>
    </message>
    <message>
        <source>Combined score</source>
        <translation>Gemeinsamer Wert</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>C&amp;ompare</source>
        <translation>&amp;Vergleich</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Compare by &amp;Blink</source>
        <translation>Mit W&amp;echselbild vergleichen</translation>
    </message>
    <message>
        <source>Compare by &amp;Wipe</source>
        <translation>Mit &amp;Wischblende vergleichen</translation>
    </message>
    <message>
        <source>Compare by wipe (Ctrl+F9) first.</source>
        <translation>Zuerst mit Wischblende vergleichen (Strg+F9).</translation>
    </message>
    <message>
        <source>Compare &amp;Differences</source>
        <translation>&amp;Unterschiede vergleichen</translation>
    </message>
    <message>
        <source>Compare every recording with its seal; nothing is decoded</source>
        <translation>Jede Aufzeichnung mit ihrem Siegel vergleichen; nichts wird dekodiert</translation>
    </message>
    <message>
        <source>Compare People</source>
        <translation>Personen vergleichen</translation>
    </message>
    <message>
        <source>Compare &amp;People of the Proposal</source>
        <translation>&amp;Personen des Vorschlags vergleichen</translation>
    </message>
    <message>
        <source>Compare S&amp;ide by Side</source>
        <translation>&amp;Nebeneinander vergleichen</translation>
    </message>
    <message>
        <source>Compare the foreground of the present parameters with every painted frame</source>
        <translation>Den Vordergrund der jetzigen Parameter mit jedem bemalten Bild vergleichen</translation>
    </message>
    <message>
        <source>Compare the kept results of two variants, or of one and the project</source>
        <translation>Die gespeicherten Ergebnisse zweier Varianten vergleichen, oder einer mit dem Projekt</translation>
    </message>
    <message>
        <source>&amp;Compare Trackers</source>
        <translation>Tracker &amp;vergleichen</translation>
    </message>
    <message>
        <source>Compare tracks the people of the results again, with both trackers.</source>
        <translation>„Vergleichen“ verfolgt die Personen der Ergebnisse noch einmal, mit beiden Trackern.</translation>
    </message>
    <message>
        <source>Compare two trackers, with standard metrics where ground truth is loaded</source>
        <translation>Zwei Tracker vergleichen, mit Standardmaßen, wo eine Referenz geladen ist</translation>
    </message>
    <message>
        <source>C&amp;ompare with</source>
        <translation>&amp;Vergleichen mit</translation>
    </message>
    <message>
        <source>Compare With</source>
        <translation>Vergleichen mit</translation>
    </message>
    <message>
        <source>Compare with the masks that another person painted: those that are missing here are added, and disagreements are listed</source>
        <translation>Mit den von einer anderen Person gemalten Masken vergleichen: Fehlende werden hinzugefügt, Abweichungen aufgelistet</translation>
    </message>
    <message>
        <source>Compare with timings saved earlier</source>
        <translation>Mit früher gespeicherten Zeiten vergleichen</translation>
    </message>
    <message>
        <source>&amp;Compare With…</source>
        <translation>&amp;Vergleichen mit…</translation>
    </message>
    <message>
        <source>Compared</source>
        <translation>Verglichen</translation>
    </message>
    <message>
        <source>Compared frames that are drawn together: as long as the errors stay correlated</source>
        <translation>Verglichene Bilder, die gemeinsam gezogen werden: so lange, wie die Fehler korreliert bleiben</translation>
    </message>
    <message>
        <source>Compared with %1.</source>
        <translation>Verglichen mit %1.</translation>
    </message>
    <message>
        <source>Comparing %1</source>
        <translation>%1 wird verglichen</translation>
    </message>
    <message>
        <source>Comparing people</source>
        <translation>Personenvergleich</translation>
    </message>
    <message>
        <source>Comparing the cameras' pictures …</source>
        <translation>Die Bilder der Kameras werden verglichen …</translation>
    </message>
    <message>
        <source>Comparing the results …</source>
        <translation>Die Ergebnisse werden verglichen …</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Computing the answer…</source>
        <translation>Die Antwort wird berechnet…</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>Konfidenz</translation>
    </message>
    <message>
        <source>confidence %1</source>
        <translation>Konfidenz %1</translation>
    </message>
    <message>
        <source>confidence 0 to 1, at %1 = %2 m</source>
        <translation>Konfidenz 0 bis 1, bei %1 = %2 m</translation>
    </message>
    <message>
        <source>Confirm during an outage</source>
        <translation>Bestätigung bei Ausfall</translation>
    </message>
    <message>
        <source>Connect and show a picture (takes up to 10 s)</source>
        <translation>Verbinden und ein Bild zeigen (dauert bis zu 10 s)</translation>
    </message>
    <message>
        <source>Connected, but nothing has arrived for %1 s: %2.</source>
        <translation>Verbunden, aber seit %1 s kam nichts an: %2.</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>verbindet</translation>
    </message>
    <message>
        <source>Connecting to %1 …</source>
        <translation>Verbindung mit %1 …</translation>
    </message>
    <message>
        <source>Connecting to the cameras…</source>
        <translation>Verbindung mit den Kameras…</translation>
    </message>
    <message>
        <source>Connecting …</source>
        <translation>Verbindet …</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Con&amp;tinue Analysis</source>
        <translation>Analyse &amp;fortsetzen</translation>
    </message>
    <message>
        <source>Continue on the CPU</source>
        <translation>Auf der CPU weiter</translation>
    </message>
    <message>
        <source>Continue the analysis that was stopped, from where it stopped</source>
        <translation>Die gestoppte Analyse dort fortsetzen, wo sie stand</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>Kopie</translation>
    </message>
    <message>
        <source>&amp;Copy Address</source>
        <translation>&amp;Adresse kopieren</translation>
    </message>
    <message>
        <source>Copy all masks to a folder, as PNG files</source>
        <translation>Alle Masken als PNG-Dateien in einen Ordner kopieren</translation>
    </message>
    <message>
        <source>&amp;Copy Answer</source>
        <translation>&amp;Antwort kopieren</translation>
    </message>
    <message>
        <source>Copy as Co&amp;mmand</source>
        <translation>Als &amp;Befehl kopieren</translation>
    </message>
    <message>
        <source>Copy everything; the window can be used meanwhile</source>
        <translation>Alles kopieren; das Fenster bleibt dabei bedienbar</translation>
    </message>
    <message>
        <source>Copy masks from a folder: CAMERA/frame_000012.png or CAMERA_frame_0012.png; those that are here stay; it cannot be undone</source>
        <translation>Masken aus einem Ordner kopieren: CAMERA/frame_000012.png oder CAMERA_frame_0012.png; vorhandene bleiben; lässt sich nicht rückgängig machen</translation>
    </message>
    <message>
        <source>&amp;Copy Measured Results</source>
        <translation>Messergebnisse &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;Copy Measures</source>
        <translation>Messungen &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;Copy Picture</source>
        <translation>Bild &amp;kopieren</translation>
    </message>
    <message>
        <source>Copy the address for clients</source>
        <translation>Die Adresse für Clients kopieren</translation>
    </message>
    <message>
        <source>Copy the chosen measures, or all, as text</source>
        <translation>Die gewählten Messungen, oder alle, als Text kopieren</translation>
    </message>
    <message>
        <source>Copy the chosen values of the answer, or all, as text</source>
        <translation>Die gewählten Werte der Antwort, oder alle, als Text kopieren</translation>
    </message>
    <message>
        <source>Copy the project and all its files into one folder, to open elsewhere</source>
        <translation>Das Projekt mit allen Dateien in einen Ordner kopieren, der sich auf jedem Rechner öffnen lässt</translation>
    </message>
    <message>
        <source>Copy the table of measured figures as text, columns separated by tabs</source>
        <translation>Die Tabelle der gemessenen Kennzahlen als Text kopieren, Spalten durch Tabulatoren getrennt</translation>
    </message>
    <message>
        <source>Copy the vantage-cli command that runs this analysis</source>
        <translation>Den vantage-cli-Befehl kopieren, der diese Analyse ausführt</translation>
    </message>
    <message>
        <source>Copy what the views show</source>
        <translation>Kopieren, was die Ansichten zeigen</translation>
    </message>
    <message>
        <source>Copying the results …</source>
        <translation>Die Ergebnisse werden kopiert …</translation>
    </message>
    <message>
        <source>corner %1</source>
        <translation>Ecke %1</translation>
    </message>
    <message>
        <source>Corners</source>
        <translation>Ecken</translation>
    </message>
    <message>
        <source>corners</source>
        <translation>Ecken</translation>
    </message>
    <message>
        <source>Corners between squares, counted along one side, not squares; of a grid of tags the tags</source>
        <translation>Ecken zwischen den Feldern, entlang einer Seite gezählt, nicht Felder; bei einem Markenraster die Marken</translation>
    </message>
    <message>
        <source>correct it</source>
        <translation>korrigieren</translation>
    </message>
    <message>
        <source>Correct the camera's offset as proposed; a running analysis continues with it</source>
        <translation>Den Versatz der Kamera wie vorgeschlagen korrigieren; eine laufende Analyse setzt damit fort</translation>
    </message>
    <message>
        <source>corrected by %1%2 s</source>
        <translation>korrigiert um %1%2 s</translation>
    </message>
    <message>
        <source>cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Cost of a metre of height difference between neighbours beyond the expected one.</source>
        <translation>Kosten eines Meters Höhenunterschied zwischen Nachbarn über den erwarteten hinaus.</translation>
    </message>
    <message>
        <source>Cost of a missed second</source>
        <translation>Kosten einer verfehlten Sekunde</translation>
    </message>
    <message>
        <source>Cost of a person</source>
        <translation>Kosten einer Person</translation>
    </message>
    <message>
        <source>Cost of a view, or of a point, that is not seen.</source>
        <translation>Kosten einer Ansicht oder eines Punkts ohne Sicht.</translation>
    </message>
    <message>
        <source>Cost of appearing</source>
        <translation>Kosten des Erscheinens</translation>
    </message>
    <message>
        <source>Cost over several views: their mean, the mean of costs cut off at robust_limit, or the mean of the best_views smallest, so that views in which the head is hidden do not count.</source>
        <translation>Kosten über mehrere Ansichten: ihr Mittel, das Mittel der bei robust_limit begrenzten Kosten oder das der best_views kleinsten, sodass Ansichten mit verdecktem Kopf nicht zählen.</translation>
    </message>
    <message>
        <source>Costs by height of pixel %1, %2</source>
        <translation>Kosten nach Höhe von Pixel %1, %2</translation>
    </message>
    <message>
        <source>count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>counted</source>
        <translation>gezählt</translation>
    </message>
    <message>
        <source>counted: people in it are counted. entrance: once there is one, paths begin and end only in entrances. area: once there is one, people are searched for only in areas</source>
        <translation>gezählt: Personen darin werden gezählt. Eingang: sobald es einen gibt, beginnen und enden Wege nur in Eingängen. Fläche: sobald es eine gibt, werden Personen nur in Flächen gesucht</translation>
    </message>
    <message>
        <source>Counter-clockwise as seen from above</source>
        <translation>Gegen den Uhrzeigersinn, von oben gesehen</translation>
    </message>
    <message>
        <source>Counts written to %1: crossings, zones, visits and people as CSV.</source>
        <translation>Zählungen nach %1 geschrieben: Überquerungen, Zonen, Besuche und Personen als CSV.</translation>
    </message>
    <message>
        <source>C&amp;ounts…</source>
        <translation>&amp;Zählungen…</translation>
    </message>
    <message>
        <source>C&amp;overage</source>
        <translation>&amp;Abdeckung</translation>
    </message>
    <message>
        <source>CPU: the GPU failed</source>
        <translation>CPU: GPU ausgefallen</translation>
    </message>
    <message>
        <source>Cr that a shadow adds for each grey level of brightness that it takes.</source>
        <translation>Cr, das ein Schatten je genommener Graustufe hinzufügt.</translation>
    </message>
    <message>
        <source>Create Project</source>
        <translation>Projekt anlegen</translation>
    </message>
    <message>
        <source>Create Project…</source>
        <translation>Projekt anlegen…</translation>
    </message>
    <message>
        <source>Crop %1</source>
        <translation>Ausschnitt %1</translation>
    </message>
    <message>
        <source>cropped</source>
        <translation>beschnitten</translation>
    </message>
    <message>
        <source>crossed a line</source>
        <translation>überquerte eine Linie</translation>
    </message>
    <message>
        <source>crosses</source>
        <translation>überquert</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Ctrl+F7 checks a few frames of every camera; F7 lists what passed, is doubtful or failed, and what to do about it.</source>
        <translation>Strg+F7 prüft einige Bilder jeder Kamera; F7 führt auf, was bestanden, zweifelhaft oder gescheitert ist und was zu tun ist.</translation>
    </message>
    <message>
        <source>Custody log</source>
        <translation>Verwahrungsprotokoll</translation>
    </message>
    <message numerus="yes">
        <source>Custody log: %n entries</source>
        <translation>
            <numerusform>Verwahrungsprotokoll: %n Eintrag</numerusform>
            <numerusform>Verwahrungsprotokoll: %n Einträge</numerusform>
        </translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>Trennen</translation>
    </message>
    <message>
        <source>Cut-off</source>
        <translation>Kappung</translation>
    </message>
    <message>
        <source>d MMM</source>
        <translation>d. MMM</translation>
    </message>
    <message>
        <source>d MMM, HH:mm</source>
        <translation>d. MMM, HH:mm</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>gestört</translation>
    </message>
    <message>
        <source>Damping</source>
        <translation>Dämpfung</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>dunkel</translation>
    </message>
    <message>
        <source>Dark colours</source>
        <translation>Dunkle Farben</translation>
    </message>
    <message>
        <source>Darkest shadow</source>
        <translation>Dunkelster Schatten</translation>
    </message>
    <message>
        <source>Data cost and differences between neighbours, summed over the map: the quantity that is minimised</source>
        <translation>Datenkosten und Unterschiede zwischen Nachbarn, über die Karte summiert: die minimierte Größe</translation>
    </message>
    <message>
        <source>ddd d MMM</source>
        <translation>ddd, d. MMM</translation>
    </message>
    <message>
        <source>Decides which value is best; most need ground truth (Shift+T)</source>
        <translation>Entscheidet, welcher Wert der beste ist; die meisten brauchen eine Referenz (Umschalt+T)</translation>
    </message>
    <message>
        <source>decode %1 ms</source>
        <translation>Dekodieren %1 ms</translation>
    </message>
    <message>
        <source>Degrees by which the eye turns around the scene during the film, counter-clockwise from above; 0: it does not move</source>
        <translation>Grad, um die das Auge während des Films um die Szene dreht, von oben gegen den Uhrzeigersinn; 0: es steht</translation>
    </message>
    <message>
        <source>Degrees of the eye above the floor</source>
        <translation>Grad des Auges über dem Boden</translation>
    </message>
    <message>
        <source>Degrees; for a film of one frame also the seconds</source>
        <translation>Grad; bei einem Film eines Bilds auch die Sekunden</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Delete P&amp;oints</source>
        <translation>P&amp;unkte löschen</translation>
    </message>
    <message>
        <source>Delete the chosen points with their clicks</source>
        <translation>Die gewählten Punkte mit ihren Klicks löschen</translation>
    </message>
    <message>
        <source>Delete the chosen track: it is not a person</source>
        <translation>Die gewählte Spur löschen: sie ist keine Person</translation>
    </message>
    <message>
        <source>Delete the chosen zone or line, with its rules</source>
        <translation>Die gewählte Zone oder Linie mit ihren Regeln löschen</translation>
    </message>
    <message>
        <source>Delete the messages that wait for the chosen target; it cannot be undone</source>
        <translation>Die Nachrichten löschen, die auf das gewählte Ziel warten; lässt sich nicht rückgängig machen</translation>
    </message>
    <message>
        <source>Delete this rule</source>
        <translation>Diese Regel löschen</translation>
    </message>
    <message>
        <source>&amp;Delete Zone or Line</source>
        <translation>Zone oder Linie l&amp;öschen</translation>
    </message>
    <message>
        <source>Delete: a track at %1</source>
        <translation>Löschen: eine Spur bei %1</translation>
    </message>
    <message>
        <source>density</source>
        <translation>Dichte</translation>
    </message>
    <message>
        <source>Descriptor</source>
        <translation>Deskriptor</translation>
    </message>
    <message>
        <source>Descriptor size</source>
        <translation>Deskriptorgröße</translation>
    </message>
    <message>
        <source>&amp;Details</source>
        <translation>&amp;Einzelheiten</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Detect Heads</source>
        <translation>Köpfe suchen</translation>
    </message>
    <message>
        <source>Detect heads</source>
        <translation>Köpfe suchen</translation>
    </message>
    <message>
        <source>Detect shadows</source>
        <translation>Schatten erkennen</translation>
    </message>
    <message>
        <source>Detection rate</source>
        <translation>Detektionsrate</translation>
    </message>
    <message>
        <source>D&amp;etections</source>
        <translation>&amp;Detektionen</translation>
    </message>
    <message>
        <source>Detections</source>
        <translation>Detektionen</translation>
    </message>
    <message>
        <source>Detections are switched off in this project.</source>
        <translation>Detektionen sind in diesem Projekt ausgeschaltet.</translation>
    </message>
    <message>
        <source>Detections in a row before a new person gets an ID; at more than 25 frames/s for as long as so many take there.</source>
        <translation>Detektionen in Folge, bis eine neue Person eine ID bekommt; über 25 Bildern/s so lange, wie so viele dort dauern.</translation>
    </message>
    <message>
        <source>Detections with a lower score are ignored.</source>
        <translation>Detektionen mit kleinerem Wert werden nicht beachtet.</translation>
    </message>
    <message>
        <source>Detections…</source>
        <translation>Detektionen…</translation>
    </message>
    <message>
        <source>Detector</source>
        <translation>Detektor</translation>
    </message>
    <message>
        <source>detector</source>
        <translation>Detektor</translation>
    </message>
    <message>
        <source>Detectors</source>
        <translation>Detektoren</translation>
    </message>
    <message>
        <source>&amp;Detector…</source>
        <translation>&amp;Detektor…</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Differences and figures</source>
        <translation>Unterschiede und Kennzahlen</translation>
    </message>
    <message>
        <source>differs</source>
        <translation>anders</translation>
    </message>
    <message>
        <source>Disagreements</source>
        <translation>Abweichungen</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>&amp;Verwerfen</translation>
    </message>
    <message>
        <source>Discard the messages that wait for %1?</source>
        <translation>Die Nachrichten verwerfen, die auf %1 warten?</translation>
    </message>
    <message>
        <source>Discard Waitin&amp;g</source>
        <translation>&amp;Wartende verwerfen</translation>
    </message>
    <message>
        <source>Discard Waiting</source>
        <translation>Wartende verwerfen</translation>
    </message>
    <message>
        <source>Disk and memory</source>
        <translation>Platte und Speicher</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Dismiss Proposed Calibration</source>
        <translation>Vorgeschlagene Kalibrierung verwerfen</translation>
    </message>
    <message>
        <source>&amp;Dismiss Proposed Offset</source>
        <translation>Vorgeschlagenen Versatz ver&amp;werfen</translation>
    </message>
    <message>
        <source>Dismiss this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
    <message>
        <source>Displacement</source>
        <translation>Verschiebung</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Distance from the predicted position that always counts as the same person.</source>
        <translation>Abstand vom vorhergesagten Ort, der immer als dieselbe Person gilt.</translation>
    </message>
    <message>
        <source>Divide the space between cameras and scene</source>
        <translation>Den Platz zwischen Kameras und Szene aufteilen</translation>
    </message>
    <message>
        <source>Do not ask &amp;again while this project is open</source>
        <translation>Nicht mehr &amp;fragen, solange dieses Projekt offen ist</translation>
    </message>
    <message>
        <source>do not watch</source>
        <translation>nicht überwachen</translation>
    </message>
    <message>
        <source>&amp;Docks</source>
        <translation>&amp;Docks</translation>
    </message>
    <message>
        <source>Double-click a key, or press F2, to change it.</source>
        <translation>Doppelklick auf eine Taste oder F2 ändert sie.</translation>
    </message>
    <message>
        <source>Double-click or F2 renames it</source>
        <translation>Doppelklick oder F2 benennt um</translation>
    </message>
    <message>
        <source>Doubtful</source>
        <translation>Zweifelhaft</translation>
    </message>
    <message>
        <source>doubtful</source>
        <translation>zweifelhaft</translation>
    </message>
    <message>
        <source>&amp;Doubtful Identities</source>
        <translation>&amp;Zweifelhafte Identitäten</translation>
    </message>
    <message>
        <source>Doubtful identities</source>
        <translation>Zweifelhafte Identitäten</translation>
    </message>
    <message>
        <source>Doubtful IDs</source>
        <translation>Zweifel</translation>
    </message>
    <message>
        <source>&amp;Down</source>
        <translation>&amp;Tiefer</translation>
    </message>
    <message>
        <source>down</source>
        <translation>unten</translation>
    </message>
    <message>
        <source>down %1, across %2; darker is better</source>
        <translation>nach unten %1, nach rechts %2; dunkler ist besser</translation>
    </message>
    <message>
        <source>Down, 1 cm</source>
        <translation>Tiefer, 1 cm</translation>
    </message>
    <message>
        <source>Drag the corners of zones and lines</source>
        <translation>Die Ecken von Zonen und Linien ziehen</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>Zeichnen</translation>
    </message>
    <message>
        <source>draw a line</source>
        <translation>Linie zeichnen</translation>
    </message>
    <message>
        <source>draw a zone</source>
        <translation>Zone zeichnen</translation>
    </message>
    <message>
        <source>Draw a zone or a line first.</source>
        <translation>Zuerst eine Zone oder Linie zeichnen.</translation>
    </message>
    <message>
        <source>Draw a zone or a line: click its corners on the floor, in the scene or in a camera's picture. Return ends a zone; Return right away makes one in the middle.</source>
        <translation>Eine Zone oder Linie zeichnen: ihre Ecken am Boden anklicken, in der Szene oder in einem Kamerabild. Eingabe schließt eine Zone ab; Eingabe gleich zu Beginn legt eine in der Mitte an.</translation>
    </message>
    <message>
        <source>&amp;Draw Both Trackers</source>
        <translation>Beide Tracker &amp;zeichnen</translation>
    </message>
    <message>
        <source>Draw &amp;Ground Truth</source>
        <translation>&amp;Referenz zeichnen</translation>
    </message>
    <message>
        <source>Draw ground truth (Shift+T) to see which of the two is better by it.</source>
        <translation>Eine Referenz zeichnen (Umschalt+T), um zu sehen, welches von beiden nach ihr besser ist.</translation>
    </message>
    <message>
        <source>Draw ground truth first (Shift+T).</source>
        <translation>Zuerst eine Referenz zeichnen (Umschalt+T).</translation>
    </message>
    <message>
        <source>Draw it in any view or on the plan: click its corners; Return or a double-click ends it, Esc cancels</source>
        <translation>In einer Ansicht oder im Plan zeichnen: die Ecken anklicken; Eingabe oder Doppelklick schließt ab, Esc bricht ab</translation>
    </message>
    <message>
        <source>Draw it in the Plots dock</source>
        <translation>Im Dock Diagramme zeichnen</translation>
    </message>
    <message>
        <source>Draw &amp;Line</source>
        <translation>Neue &amp;Linie</translation>
    </message>
    <message>
        <source>Draw the file; the window can be used meanwhile</source>
        <translation>Die Datei zeichnen; das Fenster bleibt bedienbar</translation>
    </message>
    <message>
        <source>Draw the flow as arrows too: none, or every 8, 16, 32 or 64 px</source>
        <translation>Den Fluss auch als Pfeile zeichnen: keine oder alle 8, 16, 32 oder 64 px</translation>
    </message>
    <message>
        <source>Draw the line in a view, or choose one.</source>
        <translation>Die Linie in einer Ansicht zeichnen oder eine wählen.</translation>
    </message>
    <message>
        <source>Draw the pair's epipolar lines into both pictures, the chosen one bright</source>
        <translation>Die Epipolarlinien des Paars in beide Bilder zeichnen, die gewählte hell</translation>
    </message>
    <message>
        <source>Draw the place</source>
        <translation>Den Ort zeichnen</translation>
    </message>
    <message>
        <source>Draw the place in a view, or choose a zone.</source>
        <translation>Den Ort in einer Ansicht zeichnen oder eine Zone wählen.</translation>
    </message>
    <message>
        <source>Draw truth (Shift+T) or load it (tracks.csv) to measure them.</source>
        <translation>Eine Referenz zeichnen (Umschalt+T) oder laden (tracks.csv), um sie zu messen.</translation>
    </message>
    <message>
        <source>Draw &amp;Zone</source>
        <translation>Neue &amp;Zone</translation>
    </message>
    <message>
        <source>drawn here</source>
        <translation>hier gezeichnet</translation>
    </message>
    <message>
        <source>Drawn into the videos</source>
        <translation>In die Videos gezeichnet</translation>
    </message>
    <message>
        <source>&amp;Drawn over it</source>
        <translation>&amp;Darüber gezeichnet</translation>
    </message>
    <message>
        <source>Drop a project here, or videos and their calibration</source>
        <translation>Ein Projekt hierher ziehen, oder Videos und ihre Kalibrierung</translation>
    </message>
    <message>
        <source>Drop Later</source>
        <translation>Spätere weg</translation>
    </message>
    <message>
        <source>Drop the pictures of the board that were picked up from live cameras</source>
        <translation>Die von Live-Kameras aufgenommenen Tafelbilder verwerfen</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplizieren</translation>
    </message>
    <message>
        <source>&amp;Duplicate Box</source>
        <translation>Quader &amp;duplizieren</translation>
    </message>
    <message>
        <source>dwell</source>
        <translation>Verweildauer</translation>
    </message>
    <message>
        <source>Each event of live cameras is recorded separately, as a project next to this one.</source>
        <translation>Jedes Ereignis der Live-Kameras wird einzeln aufgezeichnet, als Projekt neben diesem.</translation>
    </message>
    <message>
        <source>Each person</source>
        <translation>Jede Person</translation>
    </message>
    <message>
        <source>Each zone</source>
        <translation>Jede Zone</translation>
    </message>
    <message>
        <source>&amp;Earlier</source>
        <translation>&amp;Früher</translation>
    </message>
    <message>
        <source>Edge sharpening</source>
        <translation>Kantenschärfung</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>B&amp;earbeiten</translation>
    </message>
    <message>
        <source>&amp;Edit Region</source>
        <translation>&amp;Gebiet bearbeiten</translation>
    </message>
    <message>
        <source>Edit what raises an event; tried on what was analysed</source>
        <translation>Bearbeiten, was ein Ereignis auslöst; am Analysierten erprobt</translation>
    </message>
    <message>
        <source>either way</source>
        <translation>beide Richtungen</translation>
    </message>
    <message>
        <source>Elevation</source>
        <translation>Höhenwinkel</translation>
    </message>
    <message>
        <source>elevation </source>
        <translation>Höhe </translation>
    </message>
    <message>
        <source>Empty-Scene Clip</source>
        <translation>Clip der leeren Szene</translation>
    </message>
    <message>
        <source>Empty-scene clip</source>
        <translation>Clip der leeren Szene</translation>
    </message>
    <message>
        <source>Encrypted, but the camera's identity is not checked: add #ca=FILE or #sha256=FINGERPRINT to its rtsps:// address.</source>
        <translation>Verschlüsselt, aber die Identität der Kamera ist nicht geprüft: #ca=DATEI oder #sha256=FINGERABDRUCK an ihre rtsps://-Adresse anhängen.</translation>
    </message>
    <message>
        <source>End it; seals that are complete stay</source>
        <translation>Beenden; vollständige Siegel bleiben</translation>
    </message>
    <message>
        <source>End the check; what was found before is shown again (Esc)</source>
        <translation>Die Prüfung beenden; das zuvor Gefundene erscheint wieder (Esc)</translation>
    </message>
    <message>
        <source>End the export; nothing of it is kept</source>
        <translation>Den Export beenden; nichts davon bleibt</translation>
    </message>
    <message>
        <source>End the range at this frame</source>
        <translation>Den Bereich bei diesem Bild enden lassen</translation>
    </message>
    <message>
        <source>&amp;End the Recording</source>
        <translation>Aufzeichnung &amp;beenden</translation>
    </message>
    <message>
        <source>energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Energy by iteration</source>
        <translation>Energie nach Iteration</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Laufzeit</translation>
    </message>
    <message>
        <source>Engine of the model: auto uses ONNX Runtime where it is found, which is faster, else OpenCV.</source>
        <translation>Laufzeit des Modells: auto nimmt ONNX Runtime, wo sie gefunden wird, die schneller ist, sonst OpenCV.</translation>
    </message>
    <message>
        <source>enters</source>
        <translation>betritt</translation>
    </message>
    <message>
        <source>entrance</source>
        <translation>Eingang</translation>
    </message>
    <message>
        <source>Epipolar line</source>
        <translation>Epipolarlinie</translation>
    </message>
    <message>
        <source>epipolar lines</source>
        <translation>Epipolarlinien</translation>
    </message>
    <message>
        <source>Epipolar lines compared for each pair of cameras.</source>
        <translation>Verglichene Epipolarlinien je Kamerapaar.</translation>
    </message>
    <message>
        <source>&amp;Erase</source>
        <translation>&amp;Radieren</translation>
    </message>
    <message>
        <source>error: </source>
        <translation>Fehler: </translation>
    </message>
    <message>
        <source>Estimate the height of the head seen at each pixel of one camera.</source>
        <translation>Die Höhe des Kopfs an jedem Pixel einer Kamera schätzen.</translation>
    </message>
    <message>
        <source>Estimate the motion of every pixel from frame to frame.</source>
        <translation>Die Bewegung jedes Pixels von Bild zu Bild schätzen.</translation>
    </message>
    <message>
        <source>evenly spaced</source>
        <translation>gleichmäßig</translation>
    </message>
    <message>
        <source>Evenly spaced between two ends; as listed, also of choices and switches; or random points within the ranges</source>
        <translation>Gleichmäßig zwischen zwei Enden; als Liste, auch von Auswahlen und Schaltern; oder zufällige Punkte in den Grenzen</translation>
    </message>
    <message>
        <source>Event %1</source>
        <translation>Ereignis %1</translation>
    </message>
    <message>
        <source>Event %1 (%2)</source>
        <translation>Ereignis %1 (%2)</translation>
    </message>
    <message>
        <source>&amp;Events</source>
        <translation>&amp;Ereignisse</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>Events are judged where the project was opened first: %1.</source>
        <translation>Ereignisse werden dort beurteilt, wo das Projekt zuerst geöffnet wurde: %1.</translation>
    </message>
    <message>
        <source>events judged</source>
        <translation>Ereignisse beurteilt</translation>
    </message>
    <message>
        <source>&amp;Events of rules</source>
        <translation>Ere&amp;ignisse der Regeln</translation>
    </message>
    <message>
        <source>Events with their marks and notes, bookmarks, cases, people and a map: what has not been examined yet comes first.</source>
        <translation>Ereignisse mit Vermerken und Notizen, Lesezeichen, Fälle, Personen und ein Plan: was noch nicht gesichtet ist, steht zuerst.</translation>
    </message>
    <message>
        <source>Events within 10 s and 2 m are a group, which unfolds when it is reached. Seen and False Alarm apply to the selected event; with the group's own line selected, to all of it.</source>
        <translation>Ereignisse innerhalb von 10 s und 2 m bilden eine Gruppe, die sich entfaltet, wenn sie erreicht wird. „Gesehen“ und „Fehlalarm“ gelten dem gewählten Ereignis; ist die Zeile der Gruppe gewählt, der ganzen Gruppe.</translation>
    </message>
    <message>
        <source>Every camera has a mask in this frame.</source>
        <translation>Jede Kamera hat in diesem Bild eine Maske.</translation>
    </message>
    <message>
        <source>Every later run applies these repairs. Double-click: go to the frame. Delete: remove the repair.</source>
        <translation>Jeder spätere Lauf wendet diese Korrekturen an. Doppelklick: zum Bild gehen. Entf: die Korrektur entfernen.</translation>
    </message>
    <message>
        <source>Every recorded span, for chrome://tracing or Perfetto</source>
        <translation>Jeder aufgezeichnete Abschnitt, für chrome://tracing oder Perfetto</translation>
    </message>
    <message>
        <source>Every recorded span, one row each</source>
        <translation>Jeder aufgezeichnete Abschnitt, einer je Zeile</translation>
    </message>
    <message>
        <source>Every value was measured.</source>
        <translation>Jeder Wert wurde gemessen.</translation>
    </message>
    <message>
        <source>Everyone</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Everyone but…</source>
        <translation>Alle außer…</translation>
    </message>
    <message>
        <source>Everything that was analysed</source>
        <translation>Alles Analysierte</translation>
    </message>
    <message>
        <source>Exchange the IDs of people who passed each other; cut a track where another person came back; join two tracks of one person</source>
        <translation>IDs von Personen tauschen, die aneinander vorbeigingen; eine Spur trennen, wo eine andere Person zurückkam; zwei Spuren einer Person verbinden</translation>
    </message>
    <message>
        <source>Exchange the IDs of the two chosen people from this frame on</source>
        <translation>Die IDs der zwei gewählten Personen ab diesem Bild tauschen</translation>
    </message>
    <message>
        <source>Exchange the results A and B</source>
        <translation>Die Ergebnisse A und B tauschen</translation>
    </message>
    <message>
        <source>Expansion radius</source>
        <translation>Entwicklungsradius</translation>
    </message>
    <message>
        <source>Expansion sigma</source>
        <translation>Entwicklungsbreite</translation>
    </message>
    <message>
        <source>E&amp;xpected Error</source>
        <translation>Erwarteter &amp;Fehler</translation>
    </message>
    <message>
        <source>expected error %1 cm</source>
        <translation>erwarteter Fehler %1 cm</translation>
    </message>
    <message>
        <source>expected error 0 to %1 cm</source>
        <translation>erwarteter Fehler 0 bis %1 cm</translation>
    </message>
    <message>
        <source>expected error 0 to %1 cm or more</source>
        <translation>erwarteter Fehler 0 bis %1 cm oder mehr</translation>
    </message>
    <message>
        <source>expected error unknown: fewer than two cameras see this</source>
        <translation>erwarteter Fehler unbekannt: weniger als zwei Kameras sehen dies</translation>
    </message>
    <message>
        <source>expected error: no two cameras see the same floor</source>
        <translation>erwarteter Fehler: keine zwei Kameras sehen denselben Boden</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>&amp;Exportieren</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Export Calibration</source>
        <translation>Kalibrierung exportieren</translation>
    </message>
    <message>
        <source>Export Case</source>
        <translation>Fall exportieren</translation>
    </message>
    <message>
        <source>Export Chrome Trace</source>
        <translation>Chrome-Trace exportieren</translation>
    </message>
    <message>
        <source>Export Counts Into</source>
        <translation>Zählungen exportieren nach</translation>
    </message>
    <message>
        <source>Export crossings, people in zones, visits and walks as CSV</source>
        <translation>Überquerungen, Personen in Zonen, Besuche und Wege als CSV exportieren</translation>
    </message>
    <message>
        <source>Export Figure</source>
        <translation>Abbildung exportieren</translation>
    </message>
    <message>
        <source>Export Film</source>
        <translation>Film exportieren</translation>
    </message>
    <message>
        <source>Export Ground Truth</source>
        <translation>Referenz exportieren</translation>
    </message>
    <message>
        <source>E&amp;xport Ground Truth…</source>
        <translation>Referenz e&amp;xportieren…</translation>
    </message>
    <message>
        <source>Export Masks</source>
        <translation>Masken exportieren</translation>
    </message>
    <message>
        <source>Export Measured Results</source>
        <translation>Messergebnisse exportieren</translation>
    </message>
    <message>
        <source>Export &amp;Measured Results…</source>
        <translation>&amp;Messergebnisse exportieren…</translation>
    </message>
    <message>
        <source>Export People</source>
        <translation>Personen exportieren</translation>
    </message>
    <message>
        <source>Export Picture</source>
        <translation>Bild exportieren</translation>
    </message>
    <message>
        <source>Export Plot</source>
        <translation>Diagramm exportieren</translation>
    </message>
    <message>
        <source>Export Plot…</source>
        <translation>Diagramm exportieren…</translation>
    </message>
    <message>
        <source>Export Results</source>
        <translation>Ergebnisse exportieren</translation>
    </message>
    <message>
        <source>Export Results Into</source>
        <translation>Ergebnisse exportieren nach</translation>
    </message>
    <message>
        <source>Export Spans</source>
        <translation>Abschnitte exportieren</translation>
    </message>
    <message>
        <source>Export Timings</source>
        <translation>Zeiten exportieren</translation>
    </message>
    <message>
        <source>exported</source>
        <translation>exportiert</translation>
    </message>
    <message>
        <source>E&amp;xported by</source>
        <translation>E&amp;xportiert von</translation>
    </message>
    <message>
        <source>exported to %1</source>
        <translation>exportiert nach %1</translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation>E&amp;xportieren…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>F shows the foreground, V the volume; hold X for the bare footage. Point at the floor to see that position in every camera. Turn the scene with the mouse; M looks from above.</source>
        <translation>F zeigt den Vordergrund, V das Volumen; X gehalten zeigt das bloße Material. Auf den Boden zeigen, um den Ort in jeder Kamera zu sehen. Die Szene mit der Maus drehen; M blickt von oben.</translation>
    </message>
    <message>
        <source>F6 opens the parameters. The current frame follows at once; the strip under the seek bar shows which frames are out of date. Ctrl+Z undoes a change.</source>
        <translation>F6 öffnet die Parameter. Das aktuelle Bild folgt sofort; der Streifen unter der Zeitleiste zeigt, welche Bilder veraltet sind. Strg+Z macht eine Änderung rückgängig.</translation>
    </message>
    <message>
        <source>factor</source>
        <translation>fach</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Gescheitert</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>Faint windows</source>
        <translation>Schwache Fenster</translation>
    </message>
    <message>
        <source>False A&amp;larm</source>
        <translation>Fehla&amp;larm</translation>
    </message>
    <message>
        <source>false alarm</source>
        <translation>Fehlalarm</translation>
    </message>
    <message>
        <source>False Alarm of %1</source>
        <translation>Fehlalarm: %1</translation>
    </message>
    <message>
        <source>faster than %1 m/s</source>
        <translation>schneller als %1 m/s</translation>
    </message>
    <message>
        <source>Fewer are made once nothing changes any more.</source>
        <translation>Weniger, sobald sich nichts mehr ändert.</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Kennzahl</translation>
    </message>
    <message>
        <source>Figure written to %1: %2.</source>
        <translation>Abbildung nach %1 geschrieben: %2.</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Kennzahlen</translation>
    </message>
    <message>
        <source>Figures of all compared frames with 95 % intervals, or of parts of them; or the worst frames</source>
        <translation>Kennzahlen aller verglichenen Bilder mit 95-%-Intervallen, oder von Teilen; oder die schlechtesten Bilder</translation>
    </message>
    <message>
        <source>Figures of both by ground truth</source>
        <translation>Kennzahlen beider nach der Referenz</translation>
    </message>
    <message>
        <source>Figures of each true person. A false person counts for none of them.</source>
        <translation>Kennzahlen jeder Referenzperson. Eine falsche Person zählt bei keiner.</translation>
    </message>
    <message>
        <source>&amp;Figure…</source>
        <translation>&amp;Abbildung…</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>F&amp;ile</source>
        <translation>Da&amp;tei</translation>
    </message>
    <message>
        <source>Fil&amp;e</source>
        <translation>D&amp;atei</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Files in order</source>
        <translation>Dateien in Reihenfolge</translation>
    </message>
    <message>
        <source>&amp;Fill</source>
        <translation>&amp;Füllen</translation>
    </message>
    <message>
        <source>Fill holes</source>
        <translation>Löcher füllen</translation>
    </message>
    <message>
        <source>Fill the screen</source>
        <translation>Den Bildschirm füllen</translation>
    </message>
    <message>
        <source>Film written to %1: %2 frames, %3.</source>
        <translation>Film nach %1 geschrieben: %2 Bilder, %3.</translation>
    </message>
    <message>
        <source>Films (*.mp4 *.mkv *.avi)</source>
        <translation>Filme (*.mp4 *.mkv *.avi)</translation>
    </message>
    <message>
        <source>Fi&amp;lm…</source>
        <translation>Fi&amp;lm…</translation>
    </message>
    <message>
        <source>&amp;Find</source>
        <translation>&amp;Suche</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Find any command by its words and give it</source>
        <translation>Einen beliebigen Befehl nach seinen Wörtern suchen und geben</translation>
    </message>
    <message>
        <source>Find Bumped</source>
        <translation>Stöße</translation>
    </message>
    <message>
        <source>Find &amp;Bumped Cameras</source>
        <translation>An&amp;gestoßene Kameras suchen</translation>
    </message>
    <message>
        <source>Find Bumped Cameras</source>
        <translation>Angestoßene suchen</translation>
    </message>
    <message>
        <source>F&amp;ind Cameras</source>
        <translation>Kameras &amp;suchen</translation>
    </message>
    <message>
        <source>Find Cameras</source>
        <translation>Kameras suchen</translation>
    </message>
    <message>
        <source>Find cameras whose view jumped in the middle of the recording, and their poses from there on; the ticked ones, or all; Esc stops</source>
        <translation>Kameras suchen, deren Sicht mitten in der Aufzeichnung springt, und ihre Lage ab dort bestimmen; die angehakten oder alle; Esc bricht ab</translation>
    </message>
    <message>
        <source>Find Command</source>
        <translation>Befehl suchen</translation>
    </message>
    <message>
        <source>Find &amp;Command…</source>
        <translation>&amp;Befehl suchen…</translation>
    </message>
    <message>
        <source>Find from the pictures when each camera started</source>
        <translation>Aus den Bildern bestimmen, wann jede Kamera begann</translation>
    </message>
    <message>
        <source>Find &amp;Missing Files…</source>
        <translation>&amp;Fehlende Dateien suchen…</translation>
    </message>
    <message>
        <source>Find Missing Videos In</source>
        <translation>Fehlende Videos suchen in</translation>
    </message>
    <message>
        <source>Find &amp;Offsets</source>
        <translation>&amp;Versatz suchen</translation>
    </message>
    <message>
        <source>Find Offsets</source>
        <translation>Versatz suchen</translation>
    </message>
    <message>
        <source>Find the joints of people fused from detections in the scene, where the detections have joints.</source>
        <translation>Die Gelenke der aus Detektionen fusionierten Personen in der Szene bestimmen, wo die Detektionen Gelenke haben.</translation>
    </message>
    <message>
        <source>Find the offsets of all cameras</source>
        <translation>Den Versatz aller Kameras suchen</translation>
    </message>
    <message>
        <source>Find where cameras were moved, and calibrate them from there on</source>
        <translation>Suchen, wo Kameras bewegt wurden, und sie ab dort kalibrieren</translation>
    </message>
    <message>
        <source>Find who was in a place, crossed a line or met whom, and when</source>
        <translation>Suchen, wer an einem Ort war, eine Linie überquerte oder wen traf, und wann</translation>
    </message>
    <message>
        <source>Finding offsets</source>
        <translation>Versatzsuche</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>Suchen…</translation>
    </message>
    <message>
        <source>Fingerprint %1</source>
        <translation>Fingerabdruck %1</translation>
    </message>
    <message>
        <source>first</source>
        <translation>erster</translation>
    </message>
    <message>
        <source>First and last frame, or time, on which values are compared</source>
        <translation>Erstes und letztes Bild, oder Zeit, auf denen Werte verglichen werden</translation>
    </message>
    <message>
        <source>&amp;First Frame</source>
        <translation>Ers&amp;tes Bild</translation>
    </message>
    <message>
        <source>&amp;First frame</source>
        <translation>Erste&amp;s Bild</translation>
    </message>
    <message>
        <source>First ID</source>
        <translation>Erste ID</translation>
    </message>
    <message>
        <source>first &amp;ID</source>
        <translation>erste &amp;ID</translation>
    </message>
    <message>
        <source>First picture</source>
        <translation>Erstes Bild</translation>
    </message>
    <message>
        <source>&amp;First Steps</source>
        <translation>&amp;Erste Schritte</translation>
    </message>
    <message>
        <source>First Steps</source>
        <translation>Erste Schritte</translation>
    </message>
    <message>
        <source>&amp;First That Is Kept</source>
        <translation>Ältestes Ge&amp;speichertes</translation>
    </message>
    <message>
        <source>First tracker</source>
        <translation>Erster Tracker</translation>
    </message>
    <message>
        <source>First value</source>
        <translation>Erster Wert</translation>
    </message>
    <message>
        <source>First value of the second parameter</source>
        <translation>Erster Wert des zweiten Parameters</translation>
    </message>
    <message>
        <source>Fit tolerance</source>
        <translation>Anpassungstoleranz</translation>
    </message>
    <message>
        <source>Five steps to get started</source>
        <translation>Fünf Schritte für den Anfang</translation>
    </message>
    <message>
        <source>fixed as it is</source>
        <translation>fest, wie sie ist</translation>
    </message>
    <message>
        <source>Flatness</source>
        <translation>Flachheit</translation>
    </message>
    <message>
        <source>Floor</source>
        <translation>Boden</translation>
    </message>
    <message>
        <source>Floor &amp;Map</source>
        <translation>&amp;Bodenkarte</translation>
    </message>
    <message>
        <source>Floor map</source>
        <translation>Bodenkarte</translation>
    </message>
    <message>
        <source>floor map 0 to %1 m</source>
        <translation>Bodenkarte 0 bis %1 m</translation>
    </message>
    <message>
        <source>flow %1 px (%2 %3, %4 %5)</source>
        <translation>Fluss %1 px (%2 %3, %4 %5)</translation>
    </message>
    <message>
        <source>Flow &amp;Arrows</source>
        <translation>Fluss&amp;pfeile</translation>
    </message>
    <message>
        <source>Focal length</source>
        <translation>Brennweite</translation>
    </message>
    <message>
        <source>focal length</source>
        <translation>Brennweite</translation>
    </message>
    <message>
        <source>Fol&amp;der</source>
        <translation>Or&amp;dner</translation>
    </message>
    <message>
        <source>Folder of Board Pictures</source>
        <translation>Ordner der Tafelbilder</translation>
    </message>
    <message>
        <source>&amp;Folder of Board Pictures…</source>
        <translation>&amp;Ordner der Tafelbilder…</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>Ordner…</translation>
    </message>
    <message>
        <source>&amp;Follow</source>
        <translation>&amp;Folgen</translation>
    </message>
    <message>
        <source>Follow S&amp;ystem</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>follow the system</source>
        <translation>wie das System</translation>
    </message>
    <message>
        <source>followed</source>
        <translation>verfolgt</translation>
    </message>
    <message>
        <source>Footage</source>
        <translation>Aufnahmen</translation>
    </message>
    <message>
        <source>Footprint</source>
        <translation>Standfläche</translation>
    </message>
    <message>
        <source>for</source>
        <translation>für</translation>
    </message>
    <message>
        <source>For files in board squares: the edge of a square in metres</source>
        <translation>Bei Dateien in Tafelfeldern: die Kante eines Felds in Metern</translation>
    </message>
    <message>
        <source>For one attempt, in seconds (1 to 600); then it is tried again</source>
        <translation>Für einen Versuch, in Sekunden (1 bis 600); danach wird es erneut versucht</translation>
    </message>
    <message>
        <source>&amp;Foreground</source>
        <translation>&amp;Vordergrund</translation>
    </message>
    <message>
        <source>Foreground</source>
        <translation>Vordergrund</translation>
    </message>
    <message>
        <source>Foreground by KNN</source>
        <translation>Vordergrund durch KNN</translation>
    </message>
    <message>
        <source>Foreground by these masks</source>
        <translation>Vordergrund nach diesen Masken</translation>
    </message>
    <message>
        <source>Foreground no wider than twice this is removed, thin limbs too; 0 removes nothing.</source>
        <translation>Vordergrund, der nicht breiter ist als das Doppelte, wird entfernt, auch dünne Glieder; 0 entfernt nichts.</translation>
    </message>
    <message>
        <source>Foreground only</source>
        <translation>Nur Vordergrund</translation>
    </message>
    <message>
        <source>Foreground threshold</source>
        <translation>Vordergrundschwelle</translation>
    </message>
    <message>
        <source>&amp;Forget</source>
        <translation>&amp;Vergessen</translation>
    </message>
    <message>
        <source>Forget Pictures</source>
        <translation>Bilder verwerfen</translation>
    </message>
    <message>
        <source>Forget &amp;Pictures of the Board</source>
        <translation>Ta&amp;felbilder verwerfen</translation>
    </message>
    <message>
        <source>Forget the time that was typed</source>
        <translation>Die eingegebene Zeit vergessen</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>&amp;Format</translation>
    </message>
    <message>
        <source>&amp;Forwards</source>
        <translation>&amp;Vorwärts</translation>
    </message>
    <message>
        <source>Forwards, 1 cm</source>
        <translation>Vorwärts, 1 cm</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>found</source>
        <translation>gefunden</translation>
    </message>
    <message>
        <source>found %1</source>
        <translation>gefunden %1</translation>
    </message>
    <message>
        <source>Found %1 of %2. %3</source>
        <translation>%1 von %2 gefunden. %3</translation>
    </message>
    <message>
        <source>Found all %1.</source>
        <translation>Alle %1 gefunden.</translation>
    </message>
    <message>
        <source>found: %1</source>
        <translation>gefunden: %1</translation>
    </message>
    <message>
        <source>&amp;Frame</source>
        <translation>&amp;Bild</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>frame</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Frame %1</source>
        <translation>Bild %1</translation>
    </message>
    <message>
        <source>frame %1</source>
        <translation>Bild %1</translation>
    </message>
    <message>
        <source>Frame %1 from %2: %3 heads; %4; after %5 s</source>
        <translation>Bild %1 von %2: %3 Köpfe; %4; nach %5 s</translation>
    </message>
    <message>
        <source>Frame %1 has these masks already: remove them first to carry others there.</source>
        <translation>Bild %1 hat diese Masken schon: zuerst entfernen, um andere dorthin zu tragen.</translation>
    </message>
    <message>
        <source>frame %1 of %2</source>
        <translation>Bild %1 von %2</translation>
    </message>
    <message>
        <source>Frame %1 was &amp;taken at</source>
        <translation>Bild %1 entstand &amp;um</translation>
    </message>
    <message>
        <source>Frame %1 with %2: %3. B is with this value, A as it is now.</source>
        <translation>Bild %1 mit %2: %3. B ist mit diesem Wert, A wie jetzt.</translation>
    </message>
    <message>
        <source>frame %1, %2</source>
        <translation>Bild %1, %2</translation>
    </message>
    <message>
        <source>frame %1, %2, %3</source>
        <translation>Bild %1, %2, %3</translation>
    </message>
    <message>
        <source>frame %1, %2.</source>
        <translation>Bild %1, %2.</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>frames</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Frames %1 to %2</source>
        <translation>Bilder %1 bis %2</translation>
    </message>
    <message>
        <source>Frames %1 to %2, at x %3 m, y %4 m: %5</source>
        <translation>Bilder %1 bis %2, bei x %3 m, y %4 m: %5</translation>
    </message>
    <message>
        <source>Frames %1 to %2; a click goes to the first</source>
        <translation>Bilder %1 bis %2; ein Klick führt zum ersten</translation>
    </message>
    <message>
        <source>frames are number</source>
        <translation>Bildnummer ist Zahl</translation>
    </message>
    <message>
        <source>Frames from here to the frame that masks are carried to</source>
        <translation>Bilder von hier bis zu dem, in das Masken getragen werden</translation>
    </message>
    <message>
        <source>Frames per second</source>
        <translation>Bilder je Sekunde</translation>
    </message>
    <message>
        <source>Frames per second. Change it if the file states a wrong one.</source>
        <translation>Bilder je Sekunde. Ändern, wenn die Datei sie falsch angibt.</translation>
    </message>
    <message>
        <source>Frames that were set by hand</source>
        <translation>Von Hand gesetzte Bilder</translation>
    </message>
    <message>
        <source>Frames to confirm</source>
        <translation>Bilder zur Bestätigung</translation>
    </message>
    <message>
        <source>Frames to go on by after each position that was set: 10 sets a person every tenth frame</source>
        <translation>Um wie viele Bilder es nach jedem gesetzten Ort weitergeht: 10 setzt eine Person in jedem zehnten Bild</translation>
    </message>
    <message>
        <source>Frames with a true or a found person there</source>
        <translation>Bilder mit einer wahren oder gefundenen Person dort</translation>
    </message>
    <message>
        <source>&amp;From</source>
        <translation>&amp;Von</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>From %1, %2 frames of each camera</source>
        <translation>Aus %1, %2 Bilder jeder Kamera</translation>
    </message>
    <message>
        <source>From board %1 it stands at %2, %3, %4 mm ± %5 mm, turned by %6° ± %7°.</source>
        <translation>Von Tafel %1 aus liegt sie bei %2, %3, %4 mm ± %5 mm, gedreht um %6° ± %7°.</translation>
    </message>
    <message>
        <source>from here on %1 frames of %2 become %3's, and %4 frames of %3 become %2's</source>
        <translation>ab hier gehen %1 Bilder von %2 an %3 und %4 Bilder von %3 an %2</translation>
    </message>
    <message>
        <source>From one label to the next.</source>
        <translation>Von einer Stufe zur nächsten.</translation>
    </message>
    <message>
        <source>From so many pairs of track and detection on they are associated on the GPU, where the analysis has one; fewer are faster on the CPU, with the same result.</source>
        <translation>Ab so vielen Paaren aus Spur und Detektion werden sie auf der GPU zugeordnet, wo die Analyse eine hat; weniger sind auf der CPU schneller, mit demselben Ergebnis.</translation>
    </message>
    <message>
        <source>from start</source>
        <translation>ab Beginn</translation>
    </message>
    <message>
        <source>From &amp;Top</source>
        <translation>Von &amp;oben</translation>
    </message>
    <message>
        <source>From window to window where windows are smaller than 48 px; 1 elsewhere.</source>
        <translation>Von Fenster zu Fenster, wo Fenster kleiner als 48 px sind; sonst 1.</translation>
    </message>
    <message>
        <source>from ←</source>
        <translation>von ←</translation>
    </message>
    <message>
        <source>&amp;Full Screen</source>
        <translation>&amp;Vollbild</translation>
    </message>
    <message>
        <source>Fusion</source>
        <translation>Fusion</translation>
    </message>
    <message>
        <source>gained</source>
        <translation>gewonnen</translation>
    </message>
    <message>
        <source>&amp;Gap</source>
        <translation>Absta&amp;nd</translation>
    </message>
    <message>
        <source>Gap between tags</source>
        <translation>Abstand der Marken</translation>
    </message>
    <message>
        <source>Gate</source>
        <translation>Fangradius</translation>
    </message>
    <message>
        <source>Gaussian window</source>
        <translation>Gaußfenster</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>GB</translation>
    </message>
    <message>
        <source>Give an address first.</source>
        <translation>Zuerst eine Adresse angeben.</translation>
    </message>
    <message>
        <source>Give both people new IDs after it, since no one can tell who is who</source>
        <translation>Beiden Personen danach neue IDs geben, da niemand sagen kann, wer wer ist</translation>
    </message>
    <message>
        <source>Give every command the key that it came with</source>
        <translation>Jedem Befehl seine ursprüngliche Taste geben</translation>
    </message>
    <message>
        <source>Give the camera a name.</source>
        <translation>Der Kamera einen Namen geben.</translation>
    </message>
    <message>
        <source>Give the cameras a window of their own; it fills another screen where there is one</source>
        <translation>Den Kameras ein eigenes Fenster geben; wo es einen anderen Bildschirm gibt, füllt es ihn</translation>
    </message>
    <message>
        <source>Give the chosen commands the keys that they came with</source>
        <translation>Den gewählten Befehlen ihre ursprünglichen Tasten geben</translation>
    </message>
    <message>
        <source>Give the chosen person a name, for all views, lists and exports</source>
        <translation>Der gewählten Person einen Namen geben, für alle Ansichten, Listen und Exporte</translation>
    </message>
    <message>
        <source>Give the chosen person a new ID from this frame on</source>
        <translation>Der gewählten Person ab diesem Bild eine neue ID geben</translation>
    </message>
    <message>
        <source>Give the project the chosen variant's parameters; can be undone</source>
        <translation>Dem Projekt die Parameter der gewählten Variante geben; lässt sich rückgängig machen</translation>
    </message>
    <message>
        <source>Give the scene or the plan a window of its own; it fills another screen where there is one</source>
        <translation>Der Szene oder dem Plan ein eigenes Fenster geben; wo es einen anderen Bildschirm gibt, füllt es ihn</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>&amp;Los</translation>
    </message>
    <message>
        <source>Go to</source>
        <translation>Gehe zu</translation>
    </message>
    <message>
        <source>Go to a doubtful identity first (Shift+N).</source>
        <translation>Zuerst zu einer zweifelhaften Identität gehen (Umschalt+N).</translation>
    </message>
    <message>
        <source>Go to a doubtful identity, play it, and say who is who.</source>
        <translation>Zu einer zweifelhaften Identität gehen, abspielen und angeben, wer wer ist.</translation>
    </message>
    <message>
        <source>Go to a time of day, a time from the start, or a frame</source>
        <translation>Zu einer Uhrzeit, einer Zeit ab Beginn oder einem Bild gehen</translation>
    </message>
    <message>
        <source>Go to &amp;Live</source>
        <translation>Zu &amp;Live</translation>
    </message>
    <message>
        <source>Go to the first frame</source>
        <translation>Zum ersten Bild gehen</translation>
    </message>
    <message>
        <source>Go to the last frame</source>
        <translation>Zum letzten Bild gehen</translation>
    </message>
    <message>
        <source>Go to the next bookmark</source>
        <translation>Zum nächsten Lesezeichen</translation>
    </message>
    <message>
        <source>Go to the next event not yet seen</source>
        <translation>Zum nächsten noch nicht gesehenen Ereignis</translation>
    </message>
    <message>
        <source>Go to the next frame and position where A and B differ: a person whom only one has within 0.7 m, positions more than 0.3 m apart, IDs that change partners, events of one alone</source>
        <translation>Zu Bild und Ort des nächsten Unterschieds von A und B gehen: eine Person, die nur eines innerhalb von 0,7 m hat, Orte mehr als 0,3 m auseinander, IDs mit anderem Partner, Ereignisse nur eines von beiden</translation>
    </message>
    <message>
        <source>Go to the next frame whose tracks may be wrong about who is who</source>
        <translation>Zum nächsten Bild gehen, in dem die Spuren Personen verwechseln könnten</translation>
    </message>
    <message>
        <source>Go to the next frame with a value in the histogram's chosen bin</source>
        <translation>Zum nächsten Bild mit einem Wert in der gewählten Klasse des Histogramms gehen</translation>
    </message>
    <message>
        <source>Go to the next new event (N)</source>
        <translation>Zum nächsten neuen Ereignis gehen (N)</translation>
    </message>
    <message>
        <source>Go to the next of the chosen value's worst frames, and show the value there</source>
        <translation>Zum nächsten der schlechtesten Bilder des gewählten Werts gehen und den Wert dort zeigen</translation>
    </message>
    <message>
        <source>Go to the next of the frames in which the results are worst: people missed, false or under another ID</source>
        <translation>Zum nächsten der Bilder gehen, in denen die Ergebnisse am schlechtesten sind: Personen verfehlt, falsch oder unter anderer ID</translation>
    </message>
    <message>
        <source>Go to the next result of the search</source>
        <translation>Zum nächsten Treffer der Suche gehen</translation>
    </message>
    <message>
        <source>Go to the oldest that is kept</source>
        <translation>Zum ältesten Gespeicherten gehen</translation>
    </message>
    <message>
        <source>Go to the painted frame where the foreground fits worst, then to the next worst</source>
        <translation>Zum bemalten Bild gehen, in dem der Vordergrund am schlechtesten passt, dann zum nächsten</translation>
    </message>
    <message>
        <source>Go to the previous bookmark</source>
        <translation>Zum vorigen Lesezeichen</translation>
    </message>
    <message>
        <source>Go to the previous frame and position where A and B differ</source>
        <translation>Zu Bild und Ort des vorigen Unterschieds von A und B gehen</translation>
    </message>
    <message>
        <source>Go to the previous frame in which the tracks may be wrong</source>
        <translation>Zum vorigen Bild gehen, in dem die Spuren falsch sein könnten</translation>
    </message>
    <message>
        <source>Go to the previous frame with a value in the histogram's chosen bin</source>
        <translation>Zum vorigen Bild mit einem Wert in der gewählten Klasse des Histogramms gehen</translation>
    </message>
    <message>
        <source>Go to the previous result of the search</source>
        <translation>Zum vorigen Treffer der Suche gehen</translation>
    </message>
    <message>
        <source>&amp;Go to…</source>
        <translation>&amp;Gehe zu…</translation>
    </message>
    <message>
        <source>good</source>
        <translation>gut</translation>
    </message>
    <message>
        <source>GPU %1, %2</source>
        <translation>GPU %1, %2</translation>
    </message>
    <message>
        <source>Gradient, in grey levels a pixel, below which a histogram counts less.</source>
        <translation>Gradient in Graustufen je Pixel, unter dem ein Histogramm weniger zählt.</translation>
    </message>
    <message>
        <source>graph joins detections; grid runs through every cell of the floor; motion joins detections by how each person moves and how tall they are; automatic: motion where people come from detections, else graph.</source>
        <translation>graph verbindet Detektionen; grid läuft durch jede Zelle des Bodens; motion verbindet Detektionen danach, wie jede Person sich bewegt und wie groß sie ist; automatic: motion, wo Personen aus Detektionen stammen, sonst graph.</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>greedy</translation>
    </message>
    <message>
        <source>greedy assigns IDs frame by frame; paths assigns them again from all frames together when the analysis ends; automatic: paths in recordings, greedy live.</source>
        <translation>greedy vergibt IDs Bild für Bild; paths vergibt sie aus allen Bildern zusammen noch einmal, wenn die Analyse endet; automatic: paths in Aufzeichnungen, greedy live.</translation>
    </message>
    <message>
        <source>grey levels</source>
        <translation>Graustufen</translation>
    </message>
    <message>
        <source>grid of tags</source>
        <translation>Markenraster</translation>
    </message>
    <message>
        <source>&amp;Ground Truth</source>
        <translation>Re&amp;ferenz (Ground Truth)</translation>
    </message>
    <message>
        <source>Ground Truth</source>
        <translation>Referenz</translation>
    </message>
    <message>
        <source>Ground truth</source>
        <translation>Referenz</translation>
    </message>
    <message>
        <source>Ground truth exported to %1.</source>
        <translation>Referenz nach %1 exportiert.</translation>
    </message>
    <message>
        <source>&amp;Grow</source>
        <translation>&amp;Zauberstab</translation>
    </message>
    <message>
        <source>&amp;Guide</source>
        <translation>&amp;Handbuch</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>h</source>
        <translation>h</translation>
    </message>
    <message>
        <source>Hand over the marked range: blurred videos, tables, a report, signed</source>
        <translation>Den markierten Bereich übergeben: Videos mit unkenntlichen Personen, Tabellen, Bericht, signiert</translation>
    </message>
    <message>
        <source>hand-held</source>
        <translation>handgeführt</translation>
    </message>
    <message>
        <source>hand-held camera %1</source>
        <translation>Handkamera %1</translation>
    </message>
    <message>
        <source>Hand-held: it links the boards, and is not one of the project's cameras.
</source>
        <translation>Handgeführt: verbindet die Tafeln und ist keine Kamera des Projekts.
</translation>
    </message>
    <message>
        <source>Hand-Over Page</source>
        <translation>Übergabeblatt</translation>
    </message>
    <message>
        <source>Hand-over page written to %1</source>
        <translation>Übergabeblatt nach %1 geschrieben</translation>
    </message>
    <message>
        <source>&amp;Hand-Over Page…</source>
        <translation>Ü&amp;bergabeblatt…</translation>
    </message>
    <message>
        <source>&amp;Handed over by</source>
        <translation>&amp;Übergeben von</translation>
    </message>
    <message>
        <source>Has a fitting calibration from its jump on: %1.</source>
        <translation>Hat ab dem Sprung eine passende Kalibrierung: %1.</translation>
    </message>
    <message>
        <source>Hatch the pixels whose height changed last</source>
        <translation>Die Pixel schraffieren, deren Höhe sich zuletzt änderte</translation>
    </message>
    <message>
        <source>Head border</source>
        <translation>Kopfrand</translation>
    </message>
    <message>
        <source>Head detection</source>
        <translation>Kopfsuche</translation>
    </message>
    <message>
        <source>Head detection is switched off in this project.</source>
        <translation>Die Kopfsuche ist in diesem Projekt ausgeschaltet.</translation>
    </message>
    <message>
        <source>Head distance</source>
        <translation>Kopfabstand</translation>
    </message>
    <message>
        <source>&amp;Heads</source>
        <translation>&amp;Köpfe</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>Köpfe</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>Köpfe</translation>
    </message>
    <message>
        <source>&amp;Health</source>
        <translation>&amp;Zustand</translation>
    </message>
    <message>
        <source>Health</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Healt&amp;h of cameras</source>
        <translation>Zustand der &amp;Kameras</translation>
    </message>
    <message>
        <source>Health of the live cameras</source>
        <translation>Zustand der Live-Kameras</translation>
    </message>
    <message>
        <source>He&amp;ight</source>
        <translation>&amp;Größe</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Höhe</translation>
    </message>
    <message>
        <source>height</source>
        <translation>Höhe</translation>
    </message>
    <message>
        <source>height 0 to %1 m</source>
        <translation>Höhe 0 bis %1 m</translation>
    </message>
    <message>
        <source>Height above the floor of the first label.</source>
        <translation>Höhe der ersten Stufe über dem Boden.</translation>
    </message>
    <message>
        <source>Height above the floor, metres</source>
        <translation>Höhe über dem Boden, Meter</translation>
    </message>
    <message>
        <source>Height difference that the border of a head counts as.</source>
        <translation>Höhenunterschied, als der der Rand eines Kopfs zählt.</translation>
    </message>
    <message>
        <source>Height in the picture.</source>
        <translation>Höhe im Bild.</translation>
    </message>
    <message>
        <source>Height in the picture; below 11 px nothing is searched for.</source>
        <translation>Höhe im Bild; unter 11 px wird nichts gesucht.</translation>
    </message>
    <message>
        <source>Height jitter</source>
        <translation>Höhenstreuung</translation>
    </message>
    <message>
        <source>Height jitter of a person</source>
        <translation>Größenstreuung einer Person</translation>
    </message>
    <message>
        <source>&amp;Height Map</source>
        <translation>&amp;Höhenkarte</translation>
    </message>
    <message>
        <source>Hei&amp;ght Map</source>
        <translation>Höhenka&amp;rte</translation>
    </message>
    <message>
        <source>Height map</source>
        <translation>Höhenkarte</translation>
    </message>
    <message>
        <source>Height maps are switched off in this project.</source>
        <translation>Höhenkarten sind in diesem Projekt ausgeschaltet.</translation>
    </message>
    <message>
        <source>Height maps need a calibration.</source>
        <translation>Höhenkarten brauchen eine Kalibrierung.</translation>
    </message>
    <message>
        <source>Height of the bottom face above the floor, metres</source>
        <translation>Höhe der Unterseite über dem Boden, Meter</translation>
    </message>
    <message>
        <source>Height of the chosen person to the top of the head, metres</source>
        <translation>Größe der gewählten Person bis zum Scheitel, Meter</translation>
    </message>
    <message>
        <source>Height of the rectangles that stand for people.</source>
        <translation>Höhe der Rechtecke, die für Personen stehen.</translation>
    </message>
    <message>
        <source>height of true person %1</source>
        <translation>Größe der Referenzperson %1</translation>
    </message>
    <message>
        <source>Height step</source>
        <translation>Höhenschritt</translation>
    </message>
    <message>
        <source>Height under the pointer</source>
        <translation>Höhe unter dem Mauszeiger</translation>
    </message>
    <message>
        <source>Height weight</source>
        <translation>Gewicht der Größe</translation>
    </message>
    <message>
        <source>Height, metres</source>
        <translation>Höhe, Meter</translation>
    </message>
    <message>
        <source>Heights</source>
        <translation>Höhenstufen</translation>
    </message>
    <message>
        <source>Heights below</source>
        <translation>Stufen darunter</translation>
    </message>
    <message>
        <source>Heights from the floor to below the lowest head that are tried as "no head".</source>
        <translation>Höhen vom Boden bis unter den niedrigsten Kopf, die als „kein Kopf“ geprüft werden.</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>Gehalten</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>Higher peaks are not people.</source>
        <translation>Höhere Gipfel sind keine Personen.</translation>
    </message>
    <message>
        <source>Higher points are not joined.</source>
        <translation>Höhere Punkte werden nicht verbunden.</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>Histograms on a ring.</source>
        <translation>Histogramme auf einem Ring.</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>hold K, then J or L</source>
        <translation>K halten, dann J oder L</translation>
    </message>
    <message>
        <source>hold X</source>
        <translation>X halten</translation>
    </message>
    <message>
        <source>Holes and gaps no wider than twice this are filled; 0 fills nothing.</source>
        <translation>Löcher und Lücken, die nicht breiter sind als das Doppelte, werden gefüllt; 0 füllt nichts.</translation>
    </message>
    <message>
        <source>Ho&amp;me Assistant</source>
        <translation>H&amp;ome Assistant</translation>
    </message>
    <message>
        <source>Horizontal angle of view, degrees</source>
        <translation>Horizontaler Bildwinkel, Grad</translation>
    </message>
    <message>
        <source>&amp;How</source>
        <translation>&amp;Wie</translation>
    </message>
    <message>
        <source>How exactly people, as rectangles, must fit the foreground; smaller decides more sharply.</source>
        <translation>Wie genau Personen, als Rechtecke, zum Vordergrund passen müssen; kleiner entscheidet schärfer.</translation>
    </message>
    <message>
        <source>How far a colour may be from the one that was clicked, 0 to 442: the distance of red, green and blue; while growing the wheel and [ ] change it</source>
        <translation>Wie weit eine Farbe von der angeklickten sein darf, 0 bis 442: der Abstand in Rot, Grün und Blau; beim Zauberstab ändern das Mausrad und [ ] sie</translation>
    </message>
    <message>
        <source>How far the printed side lies above the floor in the frame that becomes the world, millimetres</source>
        <translation>Wie hoch die bedruckte Seite über dem Boden liegt, im Bild, das zum Weltsystem wird, Millimeter</translation>
    </message>
    <message>
        <source>How far the scene's edges may sway or blur; more finds less in front of rough ground.</source>
        <translation>Wie weit die Kanten der Szene schwanken oder verschwimmen dürfen; mehr findet weniger vor rauem Grund.</translation>
    </message>
    <message>
        <source>How fast a person may leave the predicted path.</source>
        <translation>Wie schnell eine Person den vorhergesagten Weg verlassen kann.</translation>
    </message>
    <message>
        <source>How fast samples are replaced after the scene was learnt, also where people stand: a person who stays is absorbed after about 0.05 / rate frames.</source>
        <translation>Wie schnell Stichproben ersetzt werden, nachdem die Szene gelernt ist, auch wo Personen stehen: Eine bleibende Person ist nach etwa 0,05 / Rate Bildern aufgenommen.</translation>
    </message>
    <message>
        <source>How heights are expected to change: as on a wall (the source) or on a round head.</source>
        <translation>Wie sich Höhen erwartungsgemäß ändern: wie an einer Wand (die Quelle) oder auf einem runden Kopf.</translation>
    </message>
    <message>
        <source>How long a film of one frame turns; the minimum: 30° a second</source>
        <translation>Wie lange ein Film eines Bilds dreht; das Minimum: 30° je Sekunde</translation>
    </message>
    <message>
        <source>How long a track waits for a person whom no camera sees.</source>
        <translation>Wie lange eine Spur auf eine Person wartet, die keine Kamera sieht.</translation>
    </message>
    <message>
        <source>How long a trail is drawn behind each person</source>
        <translation>Wie lang der Schweif hinter jeder Person gezeichnet wird</translation>
    </message>
    <message>
        <source>How long it has to hold no more until the event is over</source>
        <translation>Wie lange es nicht mehr gelten muss, bis das Ereignis vorbei ist</translation>
    </message>
    <message>
        <source>How long it lasts, in seconds</source>
        <translation>Wie lange es dauert, in Sekunden</translation>
    </message>
    <message>
        <source>How long this has to hold until it is an event</source>
        <translation>Wie lange dies gelten muss, bis es ein Ereignis ist</translation>
    </message>
    <message>
        <source>How many are in doubt</source>
        <translation>Wie viele im Zweifel sind</translation>
    </message>
    <message>
        <source>How many cameras saw it, hand-held ones too</source>
        <translation>Von wie vielen Kameras gesehen, auch handgeführten</translation>
    </message>
    <message>
        <source>How many points; of two parameters each point takes both at random</source>
        <translation>Wie viele Punkte; bei zwei Parametern nimmt jeder Punkt beide zufällig</translation>
    </message>
    <message>
        <source>How many values, evenly, both ends included</source>
        <translation>Wie viele Werte, gleichmäßig, mit beiden Enden</translation>
    </message>
    <message>
        <source>How many views count under best.</source>
        <translation>Wie viele Ansichten bei best zählen.</translation>
    </message>
    <message>
        <source>How many were found</source>
        <translation>Wie viele gefunden wurden</translation>
    </message>
    <message>
        <source>How much better all cameras must be explained with a person than without.</source>
        <translation>Um wie viel besser alle Kameras mit einer Person erklärt sein müssen als ohne.</translation>
    </message>
    <message>
        <source>How much likelier people are where a track expects them, and less likely elsewhere.</source>
        <translation>Wie viel wahrscheinlicher Personen sind, wo eine Spur sie erwartet, und weniger wahrscheinlich anderswo.</translation>
    </message>
    <message>
        <source>How much lower than a head's surface its outline lies, by which it is matched.</source>
        <translation>Um wie viel tiefer als die Oberfläche eines Kopfs sein Umriss liegt, nach dem er abgeglichen wird.</translation>
    </message>
    <message>
        <source>How much of the cameras' past is kept, of the minutes and the size that the parameters allow (Recording: Past). The oldest is dropped.</source>
        <translation>Wie viel der Vergangenheit der Kameras gespeichert ist, von den Minuten und der Größe, die die Parameter erlauben (Recording: Past). Das Älteste wird verworfen.</translation>
    </message>
    <message>
        <source>How often</source>
        <translation>Wie oft</translation>
    </message>
    <message>
        <source>How often in the last 10 s</source>
        <translation>Wie oft in den letzten 10 s</translation>
    </message>
    <message>
        <source>How the cameras stand</source>
        <translation>Wie die Kameras stehen</translation>
    </message>
    <message>
        <source>How the empty scene is modelled: gaussian, a running mean and variance of each pixel; knn, OpenCV's samples of each pixel, on the CPU.</source>
        <translation>Wie die leere Szene modelliert wird: gaussian, gleitendes Mittel und Varianz jedes Pixels; knn, Stichproben von OpenCV je Pixel, auf der CPU.</translation>
    </message>
    <message>
        <source>How the model's outputs are read; auto decides by their number, names and shapes.</source>
        <translation>Wie die Ausgaben des Modells gelesen werden; auto entscheidet nach Anzahl, Namen und Formen.</translation>
    </message>
    <message>
        <source>How the picture came from the calibrated one</source>
        <translation>Wie das Bild aus dem kalibrierten entstand</translation>
    </message>
    <message>
        <source>http://… or https://…: gets each message as JSON by POST. Never with a password</source>
        <translation>http://… oder https://…: erhält jede Nachricht als JSON per POST. Nie mit Passwort</translation>
    </message>
    <message>
        <source>I and O mark a range, Ctrl+R analyses it, Ctrl+Shift+R everything. The results are saved next to the project and shown when it is opened again.</source>
        <translation>I und O markieren einen Bereich, Strg+R analysiert ihn, Strg+Umschalt+R alles. Die Ergebnisse liegen neben dem Projekt und erscheinen beim nächsten Öffnen.</translation>
    </message>
    <message>
        <source>ID</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Identities</source>
        <translation>Identitäten</translation>
    </message>
    <message>
        <source>Identities are matched over the whole recording; a match belongs where its true person stands.</source>
        <translation>Identitäten werden über die ganze Aufzeichnung zugeordnet; ein Treffer gehört dorthin, wo seine Referenzperson steht.</translation>
    </message>
    <message>
        <source>&amp;IDs kept</source>
        <translation>&amp;IDs erkennbar</translation>
    </message>
    <message>
        <source>IDs of live cameras start again each time: record them and repair the recording.</source>
        <translation>IDs von Live-Kameras beginnen jedes Mal neu: aufzeichnen und die Aufzeichnung korrigieren.</translation>
    </message>
    <message>
        <source>IDs of live cameras start again each time: record them first.</source>
        <translation>IDs von Live-Kameras beginnen jedes Mal neu: zuerst aufzeichnen.</translation>
    </message>
    <message>
        <source>IDs of people who stay recognisable, as in 3, 7</source>
        <translation>IDs der Personen, die erkennbar bleiben, etwa 3, 7</translation>
    </message>
    <message>
        <source>If you allow it, Vantage sends messages%1 from this machine to %2.</source>
        <translation>Wenn erlaubt, sendet Vantage Nachrichten%1 von diesem Rechner an %2.</translation>
    </message>
    <message>
        <source>If you allow it, Vantage starts %1 on this machine for each message.</source>
        <translation>Wenn erlaubt, startet Vantage auf diesem Rechner %1 für jede Nachricht.</translation>
    </message>
    <message>
        <source>&amp;Ignore a Part of the Picture</source>
        <translation>Teil des Bildes &amp;ignorieren</translation>
    </message>
    <message>
        <source>&amp;Ignored Regions</source>
        <translation>&amp;Ignorierte Bereiche</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Import Ground Truth</source>
        <translation>Referenz importieren</translation>
    </message>
    <message>
        <source>import ground truth</source>
        <translation>Referenz importieren</translation>
    </message>
    <message>
        <source>&amp;Import Ground Truth…</source>
        <translation>Referenz &amp;importieren…</translation>
    </message>
    <message>
        <source>Import Masks</source>
        <translation>Masken importieren</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>&amp;Importieren…</translation>
    </message>
    <message>
        <source>In</source>
        <translation>In</translation>
    </message>
    <message>
        <source>in</source>
        <translation>in</translation>
    </message>
    <message>
        <source>In %1</source>
        <translation>Ein %1</translation>
    </message>
    <message>
        <source>In doubt</source>
        <translation>Im Zweifel</translation>
    </message>
    <message>
        <source>In how many parameters it differs from those in use</source>
        <translation>In wie vielen Parametern sie von den verwendeten abweicht</translation>
    </message>
    <message>
        <source>In one picture, or A left and B right</source>
        <translation>In einem Bild oder A links und B rechts</translation>
    </message>
    <message>
        <source>In one picture: colour shows what only one has</source>
        <translation>In einem Bild: Farbe zeigt, was nur eines hat</translation>
    </message>
    <message>
        <source>in place of %1</source>
        <translation>anstelle von %1</translation>
    </message>
    <message>
        <source>in the results</source>
        <translation>in den Ergebnissen</translation>
    </message>
    <message>
        <source>In the world</source>
        <translation>In der Welt</translation>
    </message>
    <message>
        <source>In this frame</source>
        <translation>In diesem Bild</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>verwendet</translation>
    </message>
    <message>
        <source>Indicator where people could look like the scene: in shade, and on dark surfaces. Half of the cameras then have to be sure of a person, and the search for people leaves such pixels out; 0: they count as empty.</source>
        <translation>Indikator, wo Personen wie die Szene aussehen könnten: im Schatten und auf dunklen Flächen. Die Hälfte der Kameras muss dann einer Person sicher sein, und die Personensuche lässt solche Pixel aus; 0: sie gelten als leer.</translation>
    </message>
    <message>
        <source>inner corners</source>
        <translation>innere Ecken</translation>
    </message>
    <message>
        <source>Intersection over union of the foreground and the mask, in this frame</source>
        <translation>Schnittmenge durch Vereinigung von Vordergrund und Maske, in diesem Bild</translation>
    </message>
    <message>
        <source>Intersection over union of the two masks; a double click goes to the frame, where striped pixels are only theirs and orange ones only ours</source>
        <translation>Schnittmenge durch Vereinigung der zwei Masken; ein Doppelklick führt zum Bild, wo gestreifte Pixel nur fremde und orange nur eigene sind</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Interval between the frame sets that the model examines; those between are unknown.</source>
        <translation>Abstand der Bildsätze, die das Modell untersucht; die dazwischen sind unbekannt.</translation>
    </message>
    <message>
        <source>IoU</source>
        <translation>IoU</translation>
    </message>
    <message>
        <source>IoU here</source>
        <translation>IoU hier</translation>
    </message>
    <message>
        <source>IoU in this frame %1</source>
        <translation>IoU in diesem Bild %1</translation>
    </message>
    <message>
        <source>IoU: pixels in both the foreground and the mask, by pixels in either; 1 where they are the same</source>
        <translation>IoU: Pixel in Vordergrund und Maske, durch Pixel in einem von beiden; 1, wo sie gleich sind</translation>
    </message>
    <message>
        <source>is faster than</source>
        <translation>ist schneller als</translation>
    </message>
    <message>
        <source>It begins at this time or earlier</source>
        <translation>Es beginnt zu dieser Zeit oder früher</translation>
    </message>
    <message>
        <source>It ends at this time or later</source>
        <translation>Es endet zu dieser Zeit oder später</translation>
    </message>
    <message>
        <source>It has no calibration to start from</source>
        <translation>Sie hat keine Kalibrierung als Ausgangspunkt</translation>
    </message>
    <message>
        <source>It has unsaved changes.</source>
        <translation>Es hat ungespeicherte Änderungen.</translation>
    </message>
    <message>
        <source>It is being made.</source>
        <translation>Sie wird erstellt.</translation>
    </message>
    <message>
        <source>It lasts at least this long, in seconds</source>
        <translation>Es dauert mindestens so lange, in Sekunden</translation>
    </message>
    <message>
        <source>It replaces the view that was kept with its calibration. Positions on the floor are correct only if the calibration still holds: if the camera was moved, turn it back or calibrate it again. It cannot be undone.</source>
        <translation>Sie ersetzt die Sicht, die mit der Kalibrierung gespeichert war. Orte am Boden stimmen nur, wenn die Kalibrierung noch gilt: Wurde die Kamera bewegt, zurückdrehen oder neu kalibrieren. Das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>It works: %1.</source>
        <translation>Es funktioniert: %1.</translation>
    </message>
    <message>
        <source>it.</source>
        <translation>It.</translation>
    </message>
    <message>
        <source>Iterations</source>
        <translation>Iterationen</translation>
    </message>
    <message>
        <source>Iterations from one check of labels and energy to the next.</source>
        <translation>Iterationen von einer Prüfung der Stufen und der Energie zur nächsten.</translation>
    </message>
    <message>
        <source>Iterations of belief propagation; half of the pixels send in each.</source>
        <translation>Iterationen der Belief Propagation; in jeder sendet die Hälfte der Pixel.</translation>
    </message>
    <message>
        <source>Its clock is wrong by %1 s; arrival times are used. Set it by NTP.</source>
        <translation>Ihre Uhr geht um %1 s falsch; Ankunftszeiten werden verwendet. Sie mit NTP stellen.</translation>
    </message>
    <message>
        <source>Its mean over the painted frames that were measured with these parameters</source>
        <translation>Ihr Mittel über die bemalten Bilder, die mit diesen Parametern gemessen wurden</translation>
    </message>
    <message>
        <source>Its number, or a time as the window shows it</source>
        <translation>Seine Nummer oder eine Zeit, wie sie das Fenster zeigt</translation>
    </message>
    <message>
        <source>its own video</source>
        <translation>eigenes Video</translation>
    </message>
    <message>
        <source>Its pictures arrive %1 ms late on average, %2 too late for their frame set, which waits %3 ms: %4.</source>
        <translation>Ihre Bilder kommen im Mittel %1 ms zu spät an, %2 zu spät für ihren Bildsatz, der %3 ms wartet: %4.</translation>
    </message>
    <message>
        <source>Its pixels are not square: most likely scaled.</source>
        <translation>Die Pixel sind nicht quadratisch: wohl skaliert.</translation>
    </message>
    <message>
        <source>jitter %1 ms</source>
        <translation>Jitter %1 ms</translation>
    </message>
    <message>
        <source>&amp;Join</source>
        <translation>&amp;Verbinden</translation>
    </message>
    <message>
        <source>Join</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Join Joints</source>
        <translation>Gelenke verbinden</translation>
    </message>
    <message>
        <source>Join joints of the views</source>
        <translation>Gelenke der Ansichten verbinden</translation>
    </message>
    <message>
        <source>Join the last corner to the first</source>
        <translation>Die letzte Ecke mit der ersten verbinden</translation>
    </message>
    <message>
        <source>Join the two chosen people into one</source>
        <translation>Die zwei gewählten Personen zu einer verbinden</translation>
    </message>
    <message>
        <source>&amp;Join With</source>
        <translation>&amp;Verbinden mit</translation>
    </message>
    <message>
        <source>Join: %1 until %2 and from %3 on</source>
        <translation>Verbinden: %1 bis %2 und %3 ab</translation>
    </message>
    <message>
        <source>joined</source>
        <translation>verbunden</translation>
    </message>
    <message>
        <source>Joining views</source>
        <translation>Ansichten verbinden</translation>
    </message>
    <message>
        <source>&amp;Joints</source>
        <translation>&amp;Gelenke</translation>
    </message>
    <message>
        <source>Joints are found in people's boxes: name the model of people, too.</source>
        <translation>Gelenke werden in den Rahmen von Personen gesucht: auch das Modell für Personen nennen.</translation>
    </message>
    <message>
        <source>Joints whose standard deviation is larger in any direction are left out.</source>
        <translation>Gelenke, deren Standardabweichung in einer Richtung größer ist, werden ausgelassen.</translation>
    </message>
    <message>
        <source>Joints with a lower score are ignored.</source>
        <translation>Gelenke mit kleinerem Wert werden nicht beachtet.</translation>
    </message>
    <message>
        <source>Jumped by %1 px between its frames %2 and %3; %4 places of the scene were compared.</source>
        <translation>Sprang um %1 px zwischen ihren Bildern %2 und %3; %4 Stellen der Szene wurden verglichen.</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Keep all targets in the project; Undo restores them</source>
        <translation>Alle Ziele im Projekt behalten; Rückgängig stellt sie wieder her</translation>
    </message>
    <message>
        <source>&amp;Keep as Variant</source>
        <translation>Als Variante &amp;behalten</translation>
    </message>
    <message>
        <source>Keep during an outage</source>
        <translation>Halten bei Ausfall</translation>
    </message>
    <message>
        <source>Keep free</source>
        <translation>Freihalten</translation>
    </message>
    <message>
        <source>Keep lost tracks</source>
        <translation>Verlorene Spuren halten</translation>
    </message>
    <message>
        <source>Keep Resu&amp;lts</source>
        <translation>&amp;Ergebnisse behalten</translation>
    </message>
    <message>
        <source>Keep Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Keep the calibration as it is</source>
        <translation>Die Kalibrierung lassen, wie sie ist</translation>
    </message>
    <message>
        <source>Keep the camera's offset as it is</source>
        <translation>Den Versatz der Kamera lassen, wie er ist</translation>
    </message>
    <message>
        <source>Keep the chosen person in the middle of every view (Esc ends it)</source>
        <translation>Die gewählte Person in der Mitte jeder Ansicht halten (Esc beendet)</translation>
    </message>
    <message>
        <source>Keep the colours of people's clothes that each camera sees; paths then tell people apart by them where they cross.</source>
        <translation>Die Farben der Kleidung behalten, die jede Kamera sieht; Wege unterscheiden Personen dann danach, wo sie sich kreuzen.</translation>
    </message>
    <message>
        <source>Keep the parameters in use under the name that is typed</source>
        <translation>Die verwendeten Parameter unter dem eingegebenen Namen behalten</translation>
    </message>
    <message>
        <source>Keep the parameters that old results were made with</source>
        <translation>Die Parameter behalten, mit denen alte Ergebnisse entstanden</translation>
    </message>
    <message>
        <source>Keep the present view of %1 as its reference view?</source>
        <translation>Die jetzige Sicht von %1 als Referenzsicht behalten?</translation>
    </message>
    <message>
        <source>Keep the project's results, with the parameters that they were made with, under the name that is typed: the next analysis leaves them alone, and can be compared with them</source>
        <translation>Die Ergebnisse des Projekts mit ihren Parametern unter dem eingegebenen Namen behalten: Die nächste Analyse lässt sie unberührt und ist mit ihnen vergleichbar</translation>
    </message>
    <message>
        <source>Keep the tracks as they are, and remember that this was examined</source>
        <translation>Die Spuren lassen und merken, dass dies gesichtet wurde</translation>
    </message>
    <message>
        <source>&amp;Keep Them First</source>
        <translation>Zuerst &amp;behalten</translation>
    </message>
    <message>
        <source>&amp;Keep This View</source>
        <translation>Diese Sicht &amp;behalten</translation>
    </message>
    <message>
        <source>Keep what is shown, to compare with it later</source>
        <translation>Das Gezeigte behalten, um später damit zu vergleichen</translation>
    </message>
    <message>
        <source>Keep what this camera shows now as the view of its calibration, replacing the previous one</source>
        <translation>Behalten, was diese Kamera jetzt zeigt, als die Sicht ihrer Kalibrierung, anstelle der vorigen</translation>
    </message>
    <message>
        <source>kept as it is unless you type another</source>
        <translation>bleibt, wenn kein anderes eingegeben wird</translation>
    </message>
    <message>
        <source>Kept for you on this machine, not in the project; can be withdrawn here</source>
        <translation>Für den Benutzer auf diesem Rechner gespeichert, nicht im Projekt; hier widerrufbar</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Taste</translation>
    </message>
    <message>
        <source>Key by which each request is signed (HMAC-SHA256), so that the server knows whom it comes from; kept in %1, never in the project</source>
        <translation>Schlüssel, mit dem jede Anfrage signiert wird (HMAC-SHA256), damit der Server weiß, von wem sie kommt; gespeichert in %1, nie im Projekt</translation>
    </message>
    <message>
        <source>&amp;Kind</source>
        <translation>A&amp;rt</translation>
    </message>
    <message>
        <source>Kind of board</source>
        <translation>Art der Tafel</translation>
    </message>
    <message>
        <source>Kind of camera</source>
        <translation>Art der Kamera</translation>
    </message>
    <message>
        <source>Kinds of differences</source>
        <translation>Arten von Unterschieden</translation>
    </message>
    <message>
        <source>l</source>
        <translation>l</translation>
    </message>
    <message>
        <source>Lanes of people</source>
        <translation>Zeilen der Personen</translation>
    </message>
    <message>
        <source>Lanes of the first tracker</source>
        <translation>Zeilen des ersten Trackers</translation>
    </message>
    <message>
        <source>Lanes of the second tracker</source>
        <translation>Zeilen des zweiten Trackers</translation>
    </message>
    <message>
        <source>Lang&amp;uage</source>
        <translation>&amp;Sprache</translation>
    </message>
    <message>
        <source>Language of the window, and of its numbers and dates; files and command lines are the same in every language</source>
        <translation>Sprache des Fensters, seiner Zahlen und Daten; Dateien und Befehlszeilen sind in jeder Sprache gleich</translation>
    </message>
    <message>
        <source>&amp;Larger</source>
        <translation>&amp;Größer</translation>
    </message>
    <message>
        <source>Larger things are not joined.</source>
        <translation>Größere Dinge werden nicht verbunden.</translation>
    </message>
    <message>
        <source>Largest head</source>
        <translation>Größter Kopf</translation>
    </message>
    <message>
        <source>last %1 s ago</source>
        <translation>zuletzt vor %1 s</translation>
    </message>
    <message>
        <source>&amp;Last Frame</source>
        <translation>&amp;Letztes Bild</translation>
    </message>
    <message>
        <source>&amp;Last frame</source>
        <translation>&amp;Letztes Bild</translation>
    </message>
    <message>
        <source>Last value</source>
        <translation>Letzter Wert</translation>
    </message>
    <message>
        <source>Last value of the second parameter</source>
        <translation>Letzter Wert des zweiten Parameters</translation>
    </message>
    <message>
        <source>last: %1</source>
        <translation>zuletzt: %1</translation>
    </message>
    <message>
        <source>late</source>
        <translation>spät</translation>
    </message>
    <message>
        <source>L&amp;ater</source>
        <translation>S&amp;päter</translation>
    </message>
    <message>
        <source>Lay a box over a thing of known size: drag its handles in any picture. Where it fits in all, its size is the thing's; where it does not, that camera's calibration is wrong.</source>
        <translation>Einen Quader über einen Gegenstand bekannter Größe legen: seine Griffe in einem beliebigen Bild ziehen. Passt er in allen, ist seine Größe die des Gegenstands; wo nicht, ist die Kalibrierung dieser Kamera falsch.</translation>
    </message>
    <message>
        <source>Lay a copy of the chosen box next to it</source>
        <translation>Eine Kopie des gewählten Quaders neben ihn legen</translation>
    </message>
    <message>
        <source>Lay another box over another thing</source>
        <translation>Einen weiteren Quader über einen anderen Gegenstand legen</translation>
    </message>
    <message>
        <source>&amp;Layout</source>
        <translation>An&amp;ordnung</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>L&amp;earn Entrances</source>
        <translation>Ein&amp;gänge lernen</translation>
    </message>
    <message>
        <source>Learning frames</source>
        <translation>Lernbilder</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Lea&amp;ve</source>
        <translation>&amp;Lassen</translation>
    </message>
    <message>
        <source>&amp;Leave Out</source>
        <translation>&amp;Auslassen</translation>
    </message>
    <message>
        <source>Leave out annotated frames without results; otherwise their people count as missed</source>
        <translation>Bilder mit Referenz, aber ohne Ergebnisse auslassen; sonst zählen ihre Personen als verfehlt</translation>
    </message>
    <message>
        <source>Leave this calibration out</source>
        <translation>Diese Kalibrierung weglassen</translation>
    </message>
    <message>
        <source>Leave this video out</source>
        <translation>Dieses Video weglassen</translation>
    </message>
    <message>
        <source>Leave vectors outside the foreground of the earlier picture unknown.</source>
        <translation>Vektoren außerhalb des Vordergrunds des früheren Bilds unbekannt lassen.</translation>
    </message>
    <message>
        <source>Leaves</source>
        <translation>Geht</translation>
    </message>
    <message>
        <source>leaves</source>
        <translation>verlässt</translation>
    </message>
    <message>
        <source>left</source>
        <translation>links</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>ausgelassen</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>Length along its own x, metres</source>
        <translation>Länge entlang der eigenen x-Achse, Meter</translation>
    </message>
    <message>
        <source>Length between the two chosen points</source>
        <translation>Abstand der zwei gewählten Punkte</translation>
    </message>
    <message>
        <source>Length between the two chosen points as measured, metres</source>
        <translation>Gemessener Abstand der zwei gewählten Punkte, Meter</translation>
    </message>
    <message>
        <source>Length of one file of a recorded stream.</source>
        <translation>Länge einer Datei eines aufgezeichneten Stroms.</translation>
    </message>
    <message>
        <source>Length of the live cameras' past that is kept for review while they are open in the window.</source>
        <translation>Länge der Vergangenheit der Live-Kameras, die zum Sichten gespeichert bleibt, solange sie im Fenster offen sind.</translation>
    </message>
    <message>
        <source>Len&amp;gth of trails</source>
        <translation>&amp;Länge der Schweife</translation>
    </message>
    <message>
        <source>Length, width and height, metres</source>
        <translation>Länge, Breite und Höhe, Meter</translation>
    </message>
    <message>
        <source>&amp;Lenses</source>
        <translation>&amp;Objektive</translation>
    </message>
    <message>
        <source>lenses</source>
        <translation>Objektive</translation>
    </message>
    <message>
        <source>lenses by boards</source>
        <translation>Objektive durch Tafeln</translation>
    </message>
    <message>
        <source>Let other programs read the project's results over HTTP</source>
        <translation>Andere Programme die Ergebnisse des Projekts über HTTP lesen lassen</translation>
    </message>
    <message>
        <source>Letters, digits, '-' and '_', at most 64; unique among the project's targets</source>
        <translation>Buchstaben, Ziffern, „-“ und „_“, höchstens 64; eindeutig unter den Zielen des Projekts</translation>
    </message>
    <message>
        <source>Letters, digits, spaces, dots, - and _</source>
        <translation>Buchstaben, Ziffern, Leerzeichen, Punkte, - und _</translation>
    </message>
    <message>
        <source>&amp;Level</source>
        <translation>&amp;Horizontieren</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Waagrecht</translation>
    </message>
    <message>
        <source>Level, scale and move the world so that the chosen points, three or more, lie at the box's corners</source>
        <translation>Die Welt so horizontieren, skalieren und verschieben, dass die gewählten Punkte, mindestens drei, auf den Ecken des Quaders liegen</translation>
    </message>
    <message>
        <source>Level, scale and move the world to the measured points, three or more</source>
        <translation>Die Welt auf die gemessenen Punkte, mindestens drei, horizontieren, skalieren und verschieben</translation>
    </message>
    <message>
        <source>Levelled by %1 points.</source>
        <translation>Horizontiert nach %1 Punkten.</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>light</source>
        <translation>hell</translation>
    </message>
    <message>
        <source>Light colours</source>
        <translation>Helle Farben</translation>
    </message>
    <message>
        <source>Light or dark like the system</source>
        <translation>Hell oder dunkel wie das System</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>Limit of what a pixel without a head costs, D_p(no head); lower finds fewer heads.</source>
        <translation>Grenze dessen, was ein Pixel ohne Kopf kostet, D_p(kein Kopf); weniger findet weniger Köpfe.</translation>
    </message>
    <message>
        <source>Limit of what different colours cost; 0 leaves colours out.</source>
        <translation>Grenze dessen, was verschiedene Farben kosten; 0 lässt Farben aus.</translation>
    </message>
    <message>
        <source>Limit of what different velocities cost; 0 leaves motion out.</source>
        <translation>Grenze dessen, was verschiedene Geschwindigkeiten kosten; 0 lässt Bewegung aus.</translation>
    </message>
    <message>
        <source>Limit of what one view costs under robust.</source>
        <translation>Grenze der Kosten einer Ansicht bei robust.</translation>
    </message>
    <message>
        <source>limit: %1</source>
        <translation>Grenze: %1</translation>
    </message>
    <message>
        <source>line to search</source>
        <translation>Suchlinie</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>Linien</translation>
    </message>
    <message>
        <source>Lines in the pictures</source>
        <translation>Linien in den Bildern</translation>
    </message>
    <message>
        <source>Link Plots With Timeline</source>
        <translation>Diagramme an Zeitleiste koppeln</translation>
    </message>
    <message>
        <source>Linked</source>
        <translation>Gekoppelt</translation>
    </message>
    <message>
        <source>List every shortcut, and change it</source>
        <translation>Alle Tastenkürzel auflisten und ändern</translation>
    </message>
    <message>
        <source>List the frames in which a person may continue under another person's ID</source>
        <translation>Die Bilder auflisten, in denen eine Person unter der ID einer anderen weiterlaufen könnte</translation>
    </message>
    <message>
        <source>listed</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>Listed values</source>
        <translation>Werteliste</translation>
    </message>
    <message>
        <source>Listed values of the second parameter</source>
        <translation>Werteliste des zweiten Parameters</translation>
    </message>
    <message>
        <source>&amp;Live</source>
        <translation>&amp;Live</translation>
    </message>
    <message>
        <source>LIVE</source>
        <translation>LIVE</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>LIVE  %1 ms</source>
        <translation>LIVE  %1 ms</translation>
    </message>
    <message>
        <source>Live cameras are aligned by their clocks. A camera that shows another instant nevertheless is listed here after some 10 s.</source>
        <translation>Live-Kameras werden nach ihren Uhren ausgerichtet. Eine Kamera, die dennoch einen anderen Augenblick zeigt, steht nach etwa 10 s hier.</translation>
    </message>
    <message>
        <source>Live cameras are recorded first, and drawn from the recording.</source>
        <translation>Live-Kameras werden erst aufgezeichnet und dann aus der Aufzeichnung gezeichnet.</translation>
    </message>
    <message>
        <source>Live cameras are recorded first, and exported from the recording.</source>
        <translation>Live-Kameras werden erst aufgezeichnet und dann aus der Aufzeichnung exportiert.</translation>
    </message>
    <message>
        <source>Live cameras are recorded first.</source>
        <translation>Live-Kameras werden erst aufgezeichnet.</translation>
    </message>
    <message>
        <source>Live cameras are sealed as they are recorded.</source>
        <translation>Livekameras werden versiegelt, während sie aufgezeichnet werden.</translation>
    </message>
    <message>
        <source>Live cameras are shown one board alone: record several, and solve from the recordings.</source>
        <translation>Live-Kameras wird nur eine Tafel gezeigt: mehrere aufzeichnen und aus den Aufzeichnungen berechnen.</translation>
    </message>
    <message>
        <source>Live cameras are watched while they run.</source>
        <translation>Live-Kameras werden im Betrieb überwacht.</translation>
    </message>
    <message>
        <source>Live cameras have no earlier frames.</source>
        <translation>Live-Kameras haben keine früheren Bilder.</translation>
    </message>
    <message>
        <source>Live cameras have no frames to choose from: sweep the recording.</source>
        <translation>Live-Kameras haben keine Bilder zur Auswahl: die Wertereihe mit der Aufzeichnung rechnen.</translation>
    </message>
    <message>
        <source>Live cameras have no frames to go back to: bookmark the recording.</source>
        <translation>Live-Kameras haben keine Bilder zum Zurückkehren: Lesezeichen in der Aufzeichnung setzen.</translation>
    </message>
    <message>
        <source>Live cameras have no frames to go back to: draw on the recording.</source>
        <translation>Live-Kameras haben keine Bilder zum Zurückkehren: in der Aufzeichnung zeichnen.</translation>
    </message>
    <message>
        <source>Live cameras have no frames to go back to: paint on the recording.</source>
        <translation>Live-Kameras haben keine Bilder zum Zurückkehren: in der Aufzeichnung malen.</translation>
    </message>
    <message>
        <source>Live cameras have no frames to search for the board: pick up boards (Ctrl+Alt+U), or give videos.</source>
        <translation>Live-Kameras haben keine Bilder, in denen die Tafel zu suchen wäre: Tafeln aufnehmen (Strg+Alt+U) oder Videos angeben.</translation>
    </message>
    <message>
        <source>Live cameras show the time of day by this machine's clock.</source>
        <translation>Live-Kameras zeigen die Uhrzeit dieses Rechners.</translation>
    </message>
    <message>
        <source>Live Camera…</source>
        <translation>Live-Kamera…</translation>
    </message>
    <message>
        <source>LIVE, %1 of %2 cameras</source>
        <translation>LIVE, %1 von %2 Kameras</translation>
    </message>
    <message>
        <source>Live, or where the whole recording is not used: frames at the start that are learnt as empty.</source>
        <translation>Live, oder ohne die ganze Aufzeichnung: Bilder am Beginn, die als leer gelernt werden.</translation>
    </message>
    <message>
        <source>LIVE: what the cameras see now, with the delay since their last picture (End)</source>
        <translation>LIVE: was die Kameras jetzt sehen, mit der Verzögerung seit ihrem letzten Bild (Ende)</translation>
    </message>
    <message>
        <source>Load Ground Truth</source>
        <translation>Referenz laden</translation>
    </message>
    <message>
        <source>Load Ground &amp;Truth…</source>
        <translation>&amp;Referenz laden…</translation>
    </message>
    <message>
        <source>Load true tracks on the floor (tracks.csv) and evaluate both trackers against them</source>
        <translation>Wahre Spuren am Boden laden (tracks.csv) und beide Tracker daran bewerten</translation>
    </message>
    <message>
        <source>&amp;Log</source>
        <translation>&amp;Protokoll</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Long side</source>
        <translation>Lange Seite</translation>
    </message>
    <message>
        <source>Long side of the model's input, a multiple of 32; larger finds smaller people and takes longer. A model of fixed size keeps its own.</source>
        <translation>Lange Seite des Modelleingangs, ein Vielfaches von 32; größer findet kleinere Personen und dauert länger. Ein Modell fester Größe behält seine eigene.</translation>
    </message>
    <message>
        <source>Longer, per cent: the picture shows less</source>
        <translation>Länger, Prozent: das Bild zeigt weniger</translation>
    </message>
    <message>
        <source>Longest absence</source>
        <translation>Längste Abwesenheit</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>Ansehen</translation>
    </message>
    <message>
        <source>Look at the scene from above, as a map</source>
        <translation>Die Szene von oben ansehen, als Karte</translation>
    </message>
    <message>
        <source>looking it up</source>
        <translation>wird ermittelt</translation>
    </message>
    <message>
        <source>Looks a&amp;t</source>
        <translation>Blickt au&amp;f</translation>
    </message>
    <message>
        <source>Looks at %1</source>
        <translation>Blickt auf %1</translation>
    </message>
    <message>
        <source>loses frames %1 times</source>
        <translation>verliert %1-mal Bilder</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>verloren</translation>
    </message>
    <message>
        <source>Loudness of alarms, in % of the maximum</source>
        <translation>Lautstärke der Alarme, in % des Maximums</translation>
    </message>
    <message>
        <source>Lower peaks are not people.</source>
        <translation>Niedrigere Gipfel sind keine Personen.</translation>
    </message>
    <message>
        <source>Lower points are not joined.</source>
        <translation>Tiefere Punkte werden nicht verbunden.</translation>
    </message>
    <message>
        <source>Lower the box by 1 cm</source>
        <translation>Den Quader um 1 cm absenken</translation>
    </message>
    <message>
        <source>Lower the box by 1 mm</source>
        <translation>Den Quader um 1 mm absenken</translation>
    </message>
    <message>
        <source>Lowest head</source>
        <translation>Niedrigster Kopf</translation>
    </message>
    <message>
        <source>m</source>
        <translation>m</translation>
    </message>
    <message>
        <source>m/s</source>
        <translation>m/s</translation>
    </message>
    <message>
        <source>m/s²</source>
        <translation>m/s²</translation>
    </message>
    <message>
        <source>Made %1 of %2, by version %3</source>
        <translation>%1 von %2 erstellt, mit Version %3</translation>
    </message>
    <message>
        <source>Make a project from videos and their calibration</source>
        <translation>Ein Projekt aus Videos und ihrer Kalibrierung anlegen</translation>
    </message>
    <message>
        <source>Make the brush, or the tolerance, larger</source>
        <translation>Pinsel oder Toleranz vergrößern</translation>
    </message>
    <message>
        <source>Make the brush, or the tolerance, smaller</source>
        <translation>Pinsel oder Toleranz verkleinern</translation>
    </message>
    <message>
        <source>Make zones where tracks begin and end; paths then begin and end only there</source>
        <translation>Zonen dort anlegen, wo Spuren beginnen und enden; Wege beginnen und enden dann nur dort</translation>
    </message>
    <message>
        <source>Making the &amp;Demonstration, %1 %</source>
        <translation>&amp;Demonstration wird erstellt, %1 %</translation>
    </message>
    <message>
        <source>Making the demonstration, %1 %</source>
        <translation>Demonstration wird erstellt, %1 %</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>Karte</translation>
    </message>
    <message>
        <source>Map of the floor's use</source>
        <translation>Karte der Bodennutzung</translation>
    </message>
    <message>
        <source>Mark</source>
        <translation>Marke</translation>
    </message>
    <message>
        <source>Mark a range with I and O first.</source>
        <translation>Zuerst mit I und O einen Bereich markieren.</translation>
    </message>
    <message>
        <source>Mark as a false alarm (X in the list)</source>
        <translation>Als Fehlalarm vermerken (X in der Liste)</translation>
    </message>
    <message>
        <source>Mark as seen (S in the list)</source>
        <translation>Als gesehen vermerken (S in der Liste)</translation>
    </message>
    <message>
        <source>Mark &amp;In</source>
        <translation>An&amp;fang markieren</translation>
    </message>
    <message>
        <source>Mark &amp;Out</source>
        <translation>En&amp;de markieren</translation>
    </message>
    <message>
        <source>Mark people by a box, a ring on the floor, or their ID alone</source>
        <translation>Personen mit Rahmen, Ring am Boden oder nur der ID kennzeichnen</translation>
    </message>
    <message>
        <source>Mark this frame with a note: of the chosen person, or of the place you point at</source>
        <translation>Dieses Bild mit einer Notiz versehen: zur gewählten Person oder zur Stelle unter dem Mauszeiger</translation>
    </message>
    <message>
        <source>Mark what %1 shows now: the same instant in every camera</source>
        <translation>Markieren, was %1 jetzt zeigt: denselben Augenblick in jeder Kamera</translation>
    </message>
    <message>
        <source>Marked range</source>
        <translation>Markierter Bereich</translation>
    </message>
    <message>
        <source>Marked: %1</source>
        <translation>Markiert: %1</translation>
    </message>
    <message>
        <source>marked: frame %1</source>
        <translation>markiert: Bild %1</translation>
    </message>
    <message>
        <source>Marker si&amp;de</source>
        <translation>Marker&amp;größe</translation>
    </message>
    <message>
        <source>Ma&amp;rkers</source>
        <translation>Mar&amp;ker</translation>
    </message>
    <message>
        <source>Masks</source>
        <translation>Masken</translation>
    </message>
    <message>
        <source>Masks are being carried.</source>
        <translation>Masken werden weitergetragen.</translation>
    </message>
    <message>
        <source>Masks are being compared.</source>
        <translation>Masken werden verglichen.</translation>
    </message>
    <message>
        <source>Masks are being measured.</source>
        <translation>Masken werden gemessen.</translation>
    </message>
    <message>
        <source>Masks exported to %1.</source>
        <translation>Masken nach %1 exportiert.</translation>
    </message>
    <message>
        <source>Masks of this frame</source>
        <translation>Masken dieses Bilds</translation>
    </message>
    <message>
        <source>Max (px)</source>
        <translation>Max. (px)</translation>
    </message>
    <message>
        <source>Maximum age</source>
        <translation>Höchstalter</translation>
    </message>
    <message>
        <source>Maximum change of height from pixel to pixel within one region.</source>
        <translation>Größte Höhenänderung von Pixel zu Pixel in einem Gebiet.</translation>
    </message>
    <message>
        <source>Maximum change of light</source>
        <translation>Größte Lichtänderung</translation>
    </message>
    <message>
        <source>Maximum colour cost</source>
        <translation>Höchste Farbkosten</translation>
    </message>
    <message>
        <source>Maximum difference of the logarithm of a size from its point's.</source>
        <translation>Größter Unterschied des Logarithmus einer Größe von der ihres Punkts.</translation>
    </message>
    <message>
        <source>Maximum distance of a joint from the rays of the cameras that it is made of.</source>
        <translation>Größter Abstand eines Gelenks von den Strahlen der Kameras, aus denen es entsteht.</translation>
    </message>
    <message>
        <source>Maximum distance of a point from its rays.</source>
        <translation>Größter Abstand eines Punkts von seinen Strahlen.</translation>
    </message>
    <message>
        <source>Maximum height</source>
        <translation>Höchsthöhe</translation>
    </message>
    <message>
        <source>Maximum iterations</source>
        <translation>Höchstzahl Iterationen</translation>
    </message>
    <message>
        <source>Ma&amp;ximum offset</source>
        <translation>&amp;Größter Versatz</translation>
    </message>
    <message>
        <source>Maximum offset</source>
        <translation>Größter Versatz</translation>
    </message>
    <message>
        <source>Maximum overlap</source>
        <translation>Höchste Überlappung</translation>
    </message>
    <message>
        <source>Maximum size</source>
        <translation>Höchstgröße</translation>
    </message>
    <message>
        <source>Maximum speed</source>
        <translation>Höchstgeschwindigkeit</translation>
    </message>
    <message>
        <source>Maximum uncertainty</source>
        <translation>Höchste Unsicherheit</translation>
    </message>
    <message>
        <source>Maximum velocity cost</source>
        <translation>Höchste Bewegungskosten</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>mean %1 (masks: %2, frames: %3)</source>
        <translation>Mittel %1 (Masken: %2, Bilder: %3)</translation>
    </message>
    <message>
        <source>Mean height of the people, metres, which gives the scale; adults: 1.69 m ± 5 %</source>
        <translation>Mittlere Größe der Personen in Metern, die den Maßstab gibt; Erwachsene: 1,69 m ± 5 %</translation>
    </message>
    <message>
        <source>Mean in %1, ms</source>
        <translation>Mittel in %1, ms</translation>
    </message>
    <message>
        <source>Mean over the cameras; a dash: not measured with these parameters yet</source>
        <translation>Mittel über die Kameras; ein Strich: mit diesen Parametern noch nicht gemessen</translation>
    </message>
    <message>
        <source>Mean, ms</source>
        <translation>Mittel, ms</translation>
    </message>
    <message>
        <source>&amp;Measure</source>
        <translation>&amp;Messen</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messung</translation>
    </message>
    <message>
        <source>Measure An&amp;gle</source>
        <translation>&amp;Winkel messen</translation>
    </message>
    <message>
        <source>Measure colours</source>
        <translation>Farben messen</translation>
    </message>
    <message>
        <source>Measure Dis&amp;tance</source>
        <translation>&amp;Strecke messen</translation>
    </message>
    <message>
        <source>Measure every value; Esc stops and keeps what is measured</source>
        <translation>Jeden Wert messen; Esc stoppt und behält das Gemessene</translation>
    </message>
    <message>
        <source>Measure first.</source>
        <translation>Zuerst messen.</translation>
    </message>
    <message>
        <source>Measure heads, and the map's heights there, by their outlines in all views.</source>
        <translation>Köpfe, und die Höhen der Karte dort, an ihren Umrissen in allen Ansichten messen.</translation>
    </message>
    <message>
        <source>Measure &amp;Height</source>
        <translation>&amp;Höhe messen</translation>
    </message>
    <message>
        <source>Measure &amp;Results</source>
        <translation>E&amp;rgebnisse messen</translation>
    </message>
    <message>
        <source>Measure results first (Ctrl+Alt+Q).</source>
        <translation>Zuerst Ergebnisse messen (Strg+Alt+Q).</translation>
    </message>
    <message>
        <source>Measured before. </source>
        <translation>Schon gemessen. </translation>
    </message>
    <message>
        <source>Measured before: %1 of %2 values; Sweep continues.</source>
        <translation>Schon gemessen: %1 von %2 Werten; Wertereihe setzt fort.</translation>
    </message>
    <message>
        <source>Measured coordinates</source>
        <translation>Gemessene Koordinaten</translation>
    </message>
    <message>
        <source>Measured results exported to %1.</source>
        <translation>Messergebnisse nach %1 exportiert.</translation>
    </message>
    <message>
        <source>measured x y z in metres</source>
        <translation>gemessen: x y z in m</translation>
    </message>
    <message>
        <source>Measures</source>
        <translation>Maße</translation>
    </message>
    <message>
        <source>Measures of both trackers</source>
        <translation>Maße beider Tracker</translation>
    </message>
    <message>
        <source>Measuring masks</source>
        <translation>Maskenmessung</translation>
    </message>
    <message>
        <source>Measuring needs a calibration.</source>
        <translation>Messen braucht eine Kalibrierung.</translation>
    </message>
    <message>
        <source>Measuring …</source>
        <translation>Wird gemessen …</translation>
    </message>
    <message>
        <source>Median, ms</source>
        <translation>Median, ms</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Memory for re&amp;plays</source>
        <translation>Speicher für &amp;Wiederholungen</translation>
    </message>
    <message>
        <source>Memory for &amp;results</source>
        <translation>Speicher für &amp;Ergebnisse</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>Speichergrenze</translation>
    </message>
    <message>
        <source>Merge Masks</source>
        <translation>Masken zusammenführen</translation>
    </message>
    <message>
        <source>Merge Wit&amp;h…</source>
        <translation>Zusammenfü&amp;hren…</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>&amp;Messages…</source>
        <translation>&amp;Nachrichten…</translation>
    </message>
    <message>
        <source>met a person</source>
        <translation>traf eine Person</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <source>Metres on the floor that a metre of difference in height counts as; 0: only positions count.</source>
        <translation>Als wie viele Meter am Boden ein Meter Größenunterschied zählt; 0: nur Orte zählen.</translation>
    </message>
    <message>
        <source>Metres per unit of the calibration</source>
        <translation>Meter je Einheit der Kalibrierung</translation>
    </message>
    <message>
        <source>Metres to the point that the eye looks at; the minimum: all is in view</source>
        <translation>Meter bis zum Punkt, auf den das Auge blickt; das Minimum: alles ist zu sehen</translation>
    </message>
    <message>
        <source>Metri&amp;c</source>
        <translation>&amp;Kennzahl</translation>
    </message>
    <message>
        <source>Metric over both parameters</source>
        <translation>Maß über beiden Parametern</translation>
    </message>
    <message>
        <source>Metric over the values</source>
        <translation>Maß über den Werten</translation>
    </message>
    <message>
        <source>Middle along x, metres</source>
        <translation>Mitte entlang x, Meter</translation>
    </message>
    <message>
        <source>Middle along y, metres</source>
        <translation>Mitte entlang y, Meter</translation>
    </message>
    <message>
        <source>min</source>
        <translation>min</translation>
    </message>
    <message>
        <source>Minimum cameras</source>
        <translation>Mindestzahl Kameras</translation>
    </message>
    <message>
        <source>Minimum confidence</source>
        <translation>Mindestkonfidenz</translation>
    </message>
    <message>
        <source>Minimum distance across the floor between two heads.</source>
        <translation>Kleinster Abstand zweier Köpfe über dem Boden.</translation>
    </message>
    <message>
        <source>Minimum foreground</source>
        <translation>Mindestanteil Vordergrund</translation>
    </message>
    <message>
        <source>Minimum head area</source>
        <translation>Mindestfläche des Kopfs</translation>
    </message>
    <message>
        <source>Minimum height</source>
        <translation>Mindesthöhe</translation>
    </message>
    <message>
        <source>Minimum noise</source>
        <translation>Mindestrauschen</translation>
    </message>
    <message>
        <source>Minimum outline</source>
        <translation>Mindestumriss</translation>
    </message>
    <message>
        <source>Minimum own outline</source>
        <translation>Mindestanteil eigener Umriss</translation>
    </message>
    <message>
        <source>Minimum score</source>
        <translation>Mindestwert</translation>
    </message>
    <message>
        <source>Minimum score shown</source>
        <translation>Gezeigter Mindestwert</translation>
    </message>
    <message>
        <source>Minimum separation</source>
        <translation>Mindestabstand</translation>
    </message>
    <message>
        <source>Minimum size</source>
        <translation>Kleinste Größe</translation>
    </message>
    <message>
        <source>Minimum views</source>
        <translation>Mindestzahl Ansichten</translation>
    </message>
    <message>
        <source>Minimum volume</source>
        <translation>Mindestvolumen</translation>
    </message>
    <message>
        <source>mirrored</source>
        <translation>gespiegelt</translation>
    </message>
    <message>
        <source>Misses</source>
        <translation>Abw.</translation>
    </message>
    <message>
        <source>Missing: %1. The other cameras are shown, with the results of all.</source>
        <translation>Es fehlt: %1. Die anderen Kameras werden gezeigt, mit den Ergebnissen aller.</translation>
    </message>
    <message>
        <source>Missing: %1. The other cameras are shown.</source>
        <translation>Es fehlt: %1. Die anderen Kameras werden gezeigt.</translation>
    </message>
    <message>
        <source>Model family</source>
        <translation>Modellfamilie</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>More finds clothes that look like shaded ground, but coloured shadows too; 0: off.</source>
        <translation>Mehr findet Kleidung, die wie beschatteter Boden aussieht, aber auch farbige Schatten; 0: aus.</translation>
    </message>
    <message>
        <source>More overlays</source>
        <translation>Weitere Einblendungen</translation>
    </message>
    <message>
        <source>More parameters</source>
        <translation>Weitere Parameter</translation>
    </message>
    <message>
        <source>more people than</source>
        <translation>mehr Personen als</translation>
    </message>
    <message>
        <source>more than %1 people</source>
        <translation>mehr als %1 Personen</translation>
    </message>
    <message>
        <source>Most likely a part of it.</source>
        <translation>Wohl ein Ausschnitt.</translation>
    </message>
    <message>
        <source>Most likely rotated by 90°.</source>
        <translation>Wohl um 90° gedreht.</translation>
    </message>
    <message>
        <source>Most likely scaled by %1.</source>
        <translation>Wohl um %1 skaliert.</translation>
    </message>
    <message>
        <source>MOTChallenge CSV, positions on the floor (*.csv);;COCO JSON, boxes in all pictures (*.json)</source>
        <translation>MOTChallenge-CSV, Orte am Boden (*.csv);;COCO-JSON, Rechtecke in allen Bildern (*.json)</translation>
    </message>
    <message>
        <source>motion</source>
        <translation>Bewegung</translation>
    </message>
    <message>
        <source>Move %1 by %2 frames</source>
        <translation>%1 um %2 Bilder verschieben</translation>
    </message>
    <message>
        <source>Move and resize the region that is analysed, in any view or by numbers</source>
        <translation>Das ausgewertete Gebiet verschieben und in der Größe ändern, in jeder Ansicht oder mit Zahlen</translation>
    </message>
    <message>
        <source>Move and turn the box so that its corners lie at the chosen points</source>
        <translation>Den Quader so verschieben und drehen, dass seine Ecken auf den gewählten Punkten liegen</translation>
    </message>
    <message>
        <source>Move &amp;Corners</source>
        <translation>&amp;Ecken verschieben</translation>
    </message>
    <message>
        <source>Move Divider &amp;Left</source>
        <translation>Teilung nach &amp;links</translation>
    </message>
    <message>
        <source>Move Divider &amp;Right</source>
        <translation>Teilung nach &amp;rechts</translation>
    </message>
    <message>
        <source>Move Slice Do&amp;wn</source>
        <translation>Schnitt &amp;tiefer</translation>
    </message>
    <message>
        <source>Move Slice &amp;Up</source>
        <translation>Schnitt &amp;höher</translation>
    </message>
    <message>
        <source>Move the box back by 1 cm along its length</source>
        <translation>Den Quader um 1 cm in Längsrichtung zurückschieben</translation>
    </message>
    <message>
        <source>Move the box back by 1 cm along its width</source>
        <translation>Den Quader um 1 cm in Querrichtung zurückschieben</translation>
    </message>
    <message>
        <source>Move the box back by 1 mm along its length</source>
        <translation>Den Quader um 1 mm in Längsrichtung zurückschieben</translation>
    </message>
    <message>
        <source>Move the box back by 1 mm along its width</source>
        <translation>Den Quader um 1 mm in Querrichtung zurückschieben</translation>
    </message>
    <message>
        <source>Move the box by 1 cm along its length</source>
        <translation>Den Quader um 1 cm in Längsrichtung verschieben</translation>
    </message>
    <message>
        <source>Move the box by 1 cm along its width</source>
        <translation>Den Quader um 1 cm in Querrichtung verschieben</translation>
    </message>
    <message>
        <source>Move the box by 1 mm along its length</source>
        <translation>Den Quader um 1 mm in Längsrichtung verschieben</translation>
    </message>
    <message>
        <source>Move the box by 1 mm along its width</source>
        <translation>Den Quader um 1 mm in Querrichtung verschieben</translation>
    </message>
    <message>
        <source>Move the divider between A and B left by 5 % of the picture</source>
        <translation>Die Teilung zwischen A und B um 5 % des Bilds nach links schieben</translation>
    </message>
    <message>
        <source>Move the divider between A and B right by 5 % of the picture</source>
        <translation>Die Teilung zwischen A und B um 5 % des Bilds nach rechts schieben</translation>
    </message>
    <message>
        <source>Move the slice back by 10 cm, down or along its axis</source>
        <translation>Den Schnitt um 10 cm nach unten oder entlang seiner Achse zurückschieben</translation>
    </message>
    <message>
        <source>Move the slice by 10 cm, up or along its axis</source>
        <translation>Den Schnitt um 10 cm nach oben oder entlang seiner Achse schieben</translation>
    </message>
    <message>
        <source>Move the views that have left the window to the next screen</source>
        <translation>Die Ansichten, die das Fenster verlassen haben, auf den nächsten Bildschirm schieben</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move up. The first camera is the base: frame numbers are its own.</source>
        <translation>Nach oben. Die erste Kamera ist die Basis: Bildnummern sind ihre.</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>Verschoben</translation>
    </message>
    <message>
        <source>Moved to %1 measured points.</source>
        <translation>Auf %1 gemessene Punkte gelegt.</translation>
    </message>
    <message>
        <source>mqtt://HOST:PORT, or mqtts:// for an encrypted connection; without a port 1883 or 8883. Never with a password</source>
        <translation>mqtt://RECHNER:PORT oder mqtts:// für eine verschlüsselte Verbindung; ohne Port 1883 oder 8883. Nie mit Passwort</translation>
    </message>
    <message>
        <source>Mutually</source>
        <translation>Untereinander</translation>
    </message>
    <message>
        <source>m²</source>
        <translation>m²</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Name of a new variant</source>
        <translation>Name einer neuen Variante</translation>
    </message>
    <message>
        <source>Name of person %1; none where it is empty</source>
        <translation>Name der Person %1; leer: keiner</translation>
    </message>
    <message>
        <source>Name: %1 is %2</source>
        <translation>Name: %1 ist %2</translation>
    </message>
    <message>
        <source>Name; double-click renames it</source>
        <translation>Name; Doppelklick benennt um</translation>
    </message>
    <message>
        <source>Names, repairs, zones and notes stay.</source>
        <translation>Namen, Korrekturen, Zonen und Notizen bleiben.</translation>
    </message>
    <message>
        <source>nats</source>
        <translation>nats</translation>
    </message>
    <message>
        <source>nats/s</source>
        <translation>nats/s</translation>
    </message>
    <message>
        <source>Needed only if the camera asks for it</source>
        <translation>Nur nötig, wenn die Kamera danach fragt</translation>
    </message>
    <message>
        <source>Neighbourhood fitted by a polynomial, to each side of a pixel (poly_n).</source>
        <translation>Nachbarschaft, an die ein Polynom angepasst wird, zu jeder Seite eines Pixels (poly_n).</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>new</source>
        <translation>neu</translation>
    </message>
    <message>
        <source>new line</source>
        <translation>neue Linie</translation>
    </message>
    <message>
        <source>New Project</source>
        <translation>Neues Projekt</translation>
    </message>
    <message>
        <source>&amp;New Project…</source>
        <translation>&amp;Neues Projekt…</translation>
    </message>
    <message>
        <source>new zone</source>
        <translation>neue Zone</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Nächster</translation>
    </message>
    <message>
        <source>Next B&amp;ookmark</source>
        <translation>Nächstes Lese&amp;zeichen</translation>
    </message>
    <message>
        <source>Ne&amp;xt Box</source>
        <translation>&amp;Nächster Quader</translation>
    </message>
    <message>
        <source>&amp;Next Difference</source>
        <translation>&amp;Nächster Unterschied</translation>
    </message>
    <message>
        <source>Next Difference</source>
        <translation>Nächster Unterschied</translation>
    </message>
    <message>
        <source>Next Doubtful Identit&amp;y</source>
        <translation>Nächste zweifelhafte &amp;Identität</translation>
    </message>
    <message>
        <source>Next Fo&amp;und</source>
        <translation>Nächster &amp;Treffer</translation>
    </message>
    <message>
        <source>&amp;Next Frame</source>
        <translation>&amp;Nächstes Bild</translation>
    </message>
    <message>
        <source>Next Frame of Bin</source>
        <translation>Nächstes Bild der Klasse</translation>
    </message>
    <message>
        <source>Next message</source>
        <translation>Nächste Meldung</translation>
    </message>
    <message>
        <source>Ne&amp;xt New</source>
        <translation>Nä&amp;chstes neues</translation>
    </message>
    <message>
        <source>Ne&amp;xt New Event</source>
        <translation>&amp;Nächstes neues Ereignis</translation>
    </message>
    <message>
        <source>&amp;Next Person</source>
        <translation>&amp;Nächste Person</translation>
    </message>
    <message>
        <source>Ne&amp;xt Screen</source>
        <translation>Nä&amp;chster Bildschirm</translation>
    </message>
    <message>
        <source>Next to background a pixel counts only from this share of the largest difference nearby on; 0: off.</source>
        <translation>Neben Hintergrund zählt ein Pixel erst ab diesem Anteil der größten Abweichung in der Nähe; 0: aus.</translation>
    </message>
    <message>
        <source>Next Worst</source>
        <translation>Nächstes schlechtestes</translation>
    </message>
    <message>
        <source>Next &amp;Worst Frame</source>
        <translation>Nächstes &amp;schlechtestes Bild</translation>
    </message>
    <message>
        <source>Next Worst Fra&amp;me</source>
        <translation>Nächstes &amp;schlechtestes Bild</translation>
    </message>
    <message>
        <source>Next: %1</source>
        <translation>Als Nächstes: %1</translation>
    </message>
    <message>
        <source>No analysis is running.</source>
        <translation>Keine Analyse läuft.</translation>
    </message>
    <message>
        <source>No analysis was stopped.</source>
        <translation>Keine Analyse wurde gestoppt.</translation>
    </message>
    <message>
        <source>no calibration</source>
        <translation>keine Kalibrierung</translation>
    </message>
    <message>
        <source>no camera answered</source>
        <translation>keine Kamera hat geantwortet</translation>
    </message>
    <message>
        <source>No camera is calibrated.</source>
        <translation>Keine Kamera ist kalibriert.</translation>
    </message>
    <message>
        <source>No camera is connected to this machine. Plug one in and press Refresh.</source>
        <translation>Keine Kamera ist an diesen Rechner angeschlossen. Eine anschließen und Aktualisieren drücken.</translation>
    </message>
    <message>
        <source>No camera saw board %1.</source>
        <translation>Keine Kamera hat Tafel %1 gesehen.</translation>
    </message>
    <message>
        <source>No cameras.</source>
        <translation>Keine Kameras.</translation>
    </message>
    <message>
        <source>No command has these words.</source>
        <translation>Kein Befehl hat diese Wörter.</translation>
    </message>
    <message>
        <source>&amp;No Comparison</source>
        <translation>&amp;Kein Vergleich</translation>
    </message>
    <message>
        <source>No curve.</source>
        <translation>Keine Kurve.</translation>
    </message>
    <message>
        <source>No entrance was learned: no place where at least %1 tracks begin or end.</source>
        <translation>Kein Eingang wurde gelernt: Nirgends beginnen oder enden mindestens %1 Spuren.</translation>
    </message>
    <message>
        <source>No events yet. Draw a zone or a line (F3), then add a rule with Rules…</source>
        <translation>Noch keine Ereignisse. Eine Zone oder Linie zeichnen (F3), dann eine Regel hinzufügen mit Regeln…</translation>
    </message>
    <message>
        <source>No file of the project is missing.</source>
        <translation>Keine Datei des Projekts fehlt.</translation>
    </message>
    <message>
        <source>No foreground masks are kept of this frame.</source>
        <translation>Von diesem Bild sind keine Vordergrundmasken gespeichert.</translation>
    </message>
    <message>
        <source>No frame</source>
        <translation>Kein Bild</translation>
    </message>
    <message>
        <source>No frame here.</source>
        <translation>Hier kein Bild.</translation>
    </message>
    <message>
        <source>No frame here: %1</source>
        <translation>Hier kein Bild: %1</translation>
    </message>
    <message>
        <source>No frame of both has ground truth.</source>
        <translation>Kein Bild von beiden hat eine Referenz.</translation>
    </message>
    <message>
        <source>No frames are analysed yet to try the rules on. OK arms them.</source>
        <translation>Noch keine Bilder analysiert, um die Regeln zu erproben. OK schärft sie.</translation>
    </message>
    <message>
        <source>no head</source>
        <translation>kein Kopf</translation>
    </message>
    <message>
        <source>No identity is in doubt.</source>
        <translation>Keine Identität ist im Zweifel.</translation>
    </message>
    <message>
        <source>No key: Ctrl+Shift+P finds the command by its words.</source>
        <translation>Keine Taste: Strg+Umschalt+P findet den Befehl nach seinen Wörtern.</translation>
    </message>
    <message>
        <source>No live cameras. Their state is shown here while they are watched.</source>
        <translation>Keine Live-Kameras. Ihr Zustand erscheint hier, solange sie laufen.</translation>
    </message>
    <message>
        <source>no longer applies: %1</source>
        <translation>gilt nicht mehr: %1</translation>
    </message>
    <message>
        <source>No map yet.</source>
        <translation>Noch keine Karte.</translation>
    </message>
    <message>
        <source>No mask was painted in this frame.</source>
        <translation>In diesem Bild wurde keine Maske gemalt.</translation>
    </message>
    <message>
        <source>No mask was painted yet.</source>
        <translation>Noch wurde keine Maske gemalt.</translation>
    </message>
    <message>
        <source>No masks disagree: Merge With compares with those of another person.</source>
        <translation>Keine Masken weichen ab: „Zusammenführen“ vergleicht mit denen einer anderen Person.</translation>
    </message>
    <message>
        <source>No offset is proposed.</source>
        <translation>Kein Versatz ist vorgeschlagen.</translation>
    </message>
    <message>
        <source>&amp;No One</source>
        <translation>&amp;Niemand</translation>
    </message>
    <message>
        <source>No one</source>
        <translation>Niemand</translation>
    </message>
    <message>
        <source>No one can be blurred without a calibration. Choose No one, or calibrate the cameras.</source>
        <translation>Ohne Kalibrierung kann niemand unkenntlich gemacht werden. „Niemand“ wählen oder die Kameras kalibrieren.</translation>
    </message>
    <message>
        <source>No One Can Tell: &amp;Cut</source>
        <translation>Nicht zu entscheiden: &amp;Trennen</translation>
    </message>
    <message>
        <source>No one else can be the same person: all others are there at the same time</source>
        <translation>Niemand sonst kann dieselbe Person sein: Alle anderen sind zur selben Zeit da</translation>
    </message>
    <message>
        <source>No one else is there in this frame</source>
        <translation>Niemand sonst ist in diesem Bild da</translation>
    </message>
    <message>
        <source>No one found: %1.</source>
        <translation>Niemand gefunden: %1.</translation>
    </message>
    <message>
        <source>No one is in this frame: cameras without a mask get an empty one</source>
        <translation>Niemand ist in diesem Bild: Kameras ohne Maske bekommen eine leere</translation>
    </message>
    <message>
        <source>No one is missed, false, or under another ID in the drawn frames.</source>
        <translation>In den gezeichneten Bildern ist niemand verfehlt, falsch oder unter anderer ID.</translation>
    </message>
    <message>
        <source>no one marks events</source>
        <translation>niemand vermerkt Ereignisse</translation>
    </message>
    <message>
        <source>No one moves faster.</source>
        <translation>Niemand bewegt sich schneller.</translation>
    </message>
    <message>
        <source>No one was drawn yet.</source>
        <translation>Noch niemand gezeichnet.</translation>
    </message>
    <message>
        <source>No one was drawn yet: Draw (Shift+T), then click where a person stands.</source>
        <translation>Noch niemand gezeichnet: „Zeichnen“ (Umschalt+T), dann anklicken, wo eine Person steht.</translation>
    </message>
    <message>
        <source>No one was drawn yet: Draw, then click where a person stands.</source>
        <translation>Noch niemand gezeichnet: „Zeichnen“, dann anklicken, wo eine Person steht.</translation>
    </message>
    <message>
        <source>No one was found here.</source>
        <translation>Hier wurde niemand gefunden.</translation>
    </message>
    <message>
        <source>No one was found in the last frame that the detector searched.</source>
        <translation>Im letzten Bild, das der Detektor durchsuchte, wurde niemand gefunden.</translation>
    </message>
    <message>
        <source>No parameter matches.</source>
        <translation>Kein Parameter passt.</translation>
    </message>
    <message>
        <source>no past is kept</source>
        <translation>nichts gespeichert</translation>
    </message>
    <message>
        <source>No picture</source>
        <translation>Kein Bild</translation>
    </message>
    <message>
        <source>No picture has arrived yet.</source>
        <translation>Noch kein Bild angekommen.</translation>
    </message>
    <message>
        <source>No picture here.</source>
        <translation>Hier kein Bild.</translation>
    </message>
    <message>
        <source>No picture of a board was picked up.</source>
        <translation>Es wurde kein Tafelbild aufgenommen.</translation>
    </message>
    <message>
        <source>No picture yet</source>
        <translation>Noch kein Bild</translation>
    </message>
    <message>
        <source>No pictures come from %1: Health (F10) has the reason</source>
        <translation>Von %1 kommen keine Bilder: Zustand (F10) nennt den Grund</translation>
    </message>
    <message>
        <source>No pixel counts as steadier than this; raise it when noise or compression flickers.</source>
        <translation>Kein Pixel gilt als ruhiger; erhöhen, wenn Rauschen oder Kompression flackert.</translation>
    </message>
    <message>
        <source>No place of the floor is seen there. Click on the floor in a calibrated picture.</source>
        <translation>Dort ist kein Boden zu sehen. In einem kalibrierten Bild auf den Boden klicken.</translation>
    </message>
    <message>
        <source>No plots yet. Add Plot draws figures of the results over time, their histogram, or one over another.</source>
        <translation>Noch keine Diagramme. „Diagramm hinzufügen“ zeichnet Kennzahlen der Ergebnisse über der Zeit, ihr Histogramm oder eine über der anderen.</translation>
    </message>
    <message>
        <source>No range is marked.</source>
        <translation>Kein Bereich ist markiert.</translation>
    </message>
    <message>
        <source>No rules yet. Add Rule begins a sentence: when anybody enters a zone, stays too long, crosses a line or is too fast, it is an event.</source>
        <translation>Noch keine Regeln. „Regel hinzufügen“ beginnt einen Satz: Wenn jemand eine Zone betritt, zu lange bleibt, eine Linie überquert oder zu schnell ist, ist es ein Ereignis.</translation>
    </message>
    <message>
        <source>No signals.</source>
        <translation>Keine Signale.</translation>
    </message>
    <message>
        <source>No timings yet.</source>
        <translation>Noch keine Zeiten.</translation>
    </message>
    <message>
        <source>No timings yet. Play or analyse to see how long each stage takes.</source>
        <translation>Noch keine Zeiten. Abspielen oder analysieren, um zu sehen, wie lange jede Stufe dauert.</translation>
    </message>
    <message>
        <source>No value is known in the marked range.</source>
        <translation>Im markierten Bereich ist kein Wert bekannt.</translation>
    </message>
    <message>
        <source>No value is known.</source>
        <translation>Kein Wert ist bekannt.</translation>
    </message>
    <message>
        <source>No variants yet. Keep the parameters in use under a name, to come back to them or to compare.</source>
        <translation>Noch keine Varianten. Die verwendeten Parameter unter einem Namen behalten, um zu ihnen zurückzukehren oder zu vergleichen.</translation>
    </message>
    <message>
        <source>no video</source>
        <translation>kein Video</translation>
    </message>
    <message>
        <source>No video has the name of %1: choose its camera in its row.</source>
        <translation>Kein Video heißt wie %1: seine Kamera in seiner Zeile auswählen.</translation>
    </message>
    <message>
        <source>No videos or detections yet.</source>
        <translation>Noch keine Videos oder Detektionen.</translation>
    </message>
    <message>
        <source>No-head cost</source>
        <translation>Kosten „kein Kopf“</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>none is drawn</source>
        <translation>keine gezeichnet</translation>
    </message>
    <message>
        <source>None of the drawn frames was analysed, or no one was seen there.</source>
        <translation>Keines der gezeichneten Bilder wurde analysiert, oder niemand wurde dort gesehen.</translation>
    </message>
    <message>
        <source>Normalised line signals, or the likelihood as published.</source>
        <translation>Normierte Liniensignale oder die veröffentlichte Wahrscheinlichkeit.</translation>
    </message>
    <message>
        <source>Normalised method: changes of a line's signal slower than this do not count.</source>
        <translation>Normierte Methode: Änderungen eines Liniensignals, die langsamer sind, zählen nicht.</translation>
    </message>
    <message>
        <source>Normalised method: foreground points of a line that count as half a presence; 0: the points themselves count.</source>
        <translation>Normierte Methode: Vordergrundpunkte einer Linie, die als halbe Anwesenheit zählen; 0: die Punkte selbst zählen.</translation>
    </message>
    <message>
        <source>not a person: %1</source>
        <translation>keine Person: %1</translation>
    </message>
    <message>
        <source>not a video file: cannot be sealed</source>
        <translation>keine Videodatei: kann nicht versiegelt werden</translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation>nicht erlaubt</translation>
    </message>
    <message>
        <source>not allowed on this machine</source>
        <translation>auf diesem Rechner nicht erlaubt</translation>
    </message>
    <message>
        <source>not analysed</source>
        <translation>nicht analysiert</translation>
    </message>
    <message>
        <source>Not analysed here.</source>
        <translation>Hier nicht analysiert.</translation>
    </message>
    <message>
        <source>not announced</source>
        <translation>nicht angekündigt</translation>
    </message>
    <message>
        <source>not calibrated</source>
        <translation>nicht kalibriert</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>nicht geprüft</translation>
    </message>
    <message>
        <source>Not checked yet. A check runs before every analysis.</source>
        <translation>Noch nicht geprüft. Vor jeder Analyse läuft eine Prüfung.</translation>
    </message>
    <message>
        <source>not connected</source>
        <translation>getrennt</translation>
    </message>
    <message>
        <source>Not determined: %1.</source>
        <translation>Nicht bestimmt: %1.</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>nicht gefunden</translation>
    </message>
    <message>
        <source>not joined</source>
        <translation>nicht verbunden</translation>
    </message>
    <message>
        <source>not known here</source>
        <translation>hier nicht bekannt</translation>
    </message>
    <message>
        <source>Not known now: neither the first camera's file nor its name states it. Times count from the start.</source>
        <translation>Jetzt unbekannt: Weder die Datei der ersten Kamera noch ihr Name gibt sie an. Zeiten zählen ab Beginn.</translation>
    </message>
    <message>
        <source>not known: times count from the start</source>
        <translation>unbekannt: Zeiten zählen ab Beginn</translation>
    </message>
    <message>
        <source>not sealed</source>
        <translation>nicht versiegelt</translation>
    </message>
    <message>
        <source>not searched for</source>
        <translation>nicht gesucht</translation>
    </message>
    <message>
        <source>Not searched for yet</source>
        <translation>Noch nicht gesucht</translation>
    </message>
    <message>
        <source>not searched yet</source>
        <translation>noch nicht gesucht</translation>
    </message>
    <message>
        <source>not seen any more</source>
        <translation>nicht mehr zu sehen</translation>
    </message>
    <message>
        <source>Not sent: %1</source>
        <translation>Nicht gesendet: %1</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>nicht da</translation>
    </message>
    <message>
        <source>not told apart</source>
        <translation>nicht unterscheidbar</translation>
    </message>
    <message>
        <source>&amp;Note</source>
        <translation>&amp;Notiz</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Note of %1</source>
        <translation>Notiz zu %1</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>Nothing has changed since the last save.</source>
        <translation>Seit dem letzten Speichern hat sich nichts geändert.</translation>
    </message>
    <message>
        <source>Nothing is chosen.</source>
        <translation>Nichts ist gewählt.</translation>
    </message>
    <message>
        <source>Nothing is ignored yet.</source>
        <translation>Noch wird nichts ignoriert.</translation>
    </message>
    <message>
        <source>Nothing is nudged.</source>
        <translation>Nichts ist verstellt.</translation>
    </message>
    <message>
        <source>Nothing is proposed.</source>
        <translation>Nichts ist vorgeschlagen.</translation>
    </message>
    <message>
        <source>Nothing is sent to %1: it is not allowed on this machine. File ▸ Messages… allows it.</source>
        <translation>An %1 wird nichts gesendet: auf diesem Rechner nicht erlaubt. Datei ▸ Nachrichten… erlaubt es.</translation>
    </message>
    <message>
        <source>Nothing is sent yet. Add a target: a broker (MQTT), a web server or a program gets the events of rules and the health of cameras while live cameras run.</source>
        <translation>Noch wird nichts gesendet. Ein Ziel hinzufügen: Ein Broker (MQTT), ein Webserver oder ein Programm erhält die Ereignisse der Regeln und den Zustand der Kameras, solange Live-Kameras laufen.</translation>
    </message>
    <message>
        <source>Nothing is wrong with %1, by %2.</source>
        <translation>Mit %1 ist nichts falsch, nach %2.</translation>
    </message>
    <message>
        <source>Nothing more of the cameras' past is kept: %1</source>
        <translation>Von der Vergangenheit der Kameras wird nichts mehr gespeichert: %1</translation>
    </message>
    <message>
        <source>Nothing more of the cameras' past is kept; the cameras continue: %1</source>
        <translation>Von der Vergangenheit der Kameras wird nichts mehr gespeichert; die Kameras laufen weiter: %1</translation>
    </message>
    <message>
        <source>Nothing of the live cameras is kept yet.</source>
        <translation>Von den Live-Kameras ist noch nichts gespeichert.</translation>
    </message>
    <message>
        <source>Nothing straight above the first point is seen there. Click in a calibrated picture.</source>
        <translation>Senkrecht über dem ersten Punkt ist dort nichts zu sehen. In ein kalibriertes Bild klicken.</translation>
    </message>
    <message>
        <source>Nothing that %1 saw was used.</source>
        <translation>Nichts, was %1 sah, wurde verwendet.</translation>
    </message>
    <message>
        <source>Nothing to redo.</source>
        <translation>Nichts zu wiederholen.</translation>
    </message>
    <message>
        <source>Nothing to undo.</source>
        <translation>Nichts rückgängig zu machen.</translation>
    </message>
    <message>
        <source>Nothing was asked yet.</source>
        <translation>Noch nichts gefragt.</translation>
    </message>
    <message>
        <source>Nothing was found.</source>
        <translation>Nichts wurde gefunden.</translation>
    </message>
    <message>
        <source>Nothing was measured yet.</source>
        <translation>Noch nichts wurde gemessen.</translation>
    </message>
    <message>
        <source>Nothing was painted yet: choose Brush, then paint over a person.</source>
        <translation>Noch nichts gemalt: „Pinsel“ wählen, dann über eine Person malen.</translation>
    </message>
    <message>
        <source>Nothing was set for the chosen person in this frame.</source>
        <translation>Für die gewählte Person wurde in diesem Bild nichts gesetzt.</translation>
    </message>
    <message>
        <source>nothing was used</source>
        <translation>nichts wurde verwendet</translation>
    </message>
    <message>
        <source>notify me</source>
        <translation>melden</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>Now by the %1.</source>
        <translation>Jetzt nach: %1.</translation>
    </message>
    <message>
        <source>now in the project: %1</source>
        <translation>jetzt im Projekt: %1</translation>
    </message>
    <message>
        <source>now in the project: %1%2</source>
        <translation>jetzt im Projekt: %1%2</translation>
    </message>
    <message>
        <source>Nudge</source>
        <translation>Justieren</translation>
    </message>
    <message>
        <source>&amp;Nudge Box</source>
        <translation>&amp;Quader schieben</translation>
    </message>
    <message>
        <source>Nu&amp;dge Camera</source>
        <translation>Kamera &amp;feinjustieren</translation>
    </message>
    <message>
        <source>Number of bins of a histogram; 0: by the number of values</source>
        <translation>Zahl der Klassen eines Histogramms; 0: nach der Zahl der Werte</translation>
    </message>
    <message>
        <source>Number of height labels, besides "no head".</source>
        <translation>Zahl der Höhenstufen, neben „kein Kopf“.</translation>
    </message>
    <message>
        <source>Number of the frame in names</source>
        <translation>Nummer des Bilds in Namen</translation>
    </message>
    <message>
        <source>Occupancy map</source>
        <translation>Belegungskarte</translation>
    </message>
    <message>
        <source>Occupied volume over a footprint from which on a person may stand there.</source>
        <translation>Belegtes Volumen über einer Standfläche, ab dem dort eine Person stehen kann.</translation>
    </message>
    <message>
        <source>Of how many learnt frames samples are kept.</source>
        <translation>Aus wie vielen gelernten Bildern Stichproben behalten werden.</translation>
    </message>
    <message>
        <source>Of Results…</source>
        <translation>Aus alten…</translation>
    </message>
    <message>
        <source>Of two boxes that overlap more (intersection over union) the weaker one is suppressed.</source>
        <translation>Von zwei Rechtecken, die mehr überlappen (Schnittmenge durch Vereinigung), wird das schwächere unterdrückt.</translation>
    </message>
    <message>
        <source>Of two of the model's boxes that overlap more (intersection over union) the weaker one is suppressed.</source>
        <translation>Von zwei Rechtecken des Modells, die mehr überlappen (Schnittmenge durch Vereinigung), wird das schwächere unterdrückt.</translation>
    </message>
    <message>
        <source>Of two points nearer to each other across the floor one is suppressed: people do not stand above one another.</source>
        <translation>Von zwei Punkten, die über dem Boden näher beieinander liegen, wird einer unterdrückt: Personen stehen nicht übereinander.</translation>
    </message>
    <message>
        <source>of unknown parameters</source>
        <translation>mit unbekannten Parametern</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>Versatz</translation>
    </message>
    <message>
        <source>Offset of %1</source>
        <translation>Versatz von %1</translation>
    </message>
    <message>
        <source>Offset: a camera's frame at frame 0 of the first. View: its horizontal angle. A double-click on a name renames the camera.</source>
        <translation>Versatz: Bild einer Kamera bei Bild 0 der ersten. Sicht: ihr horizontaler Bildwinkel. Ein Doppelklick auf einen Namen benennt die Kamera um.</translation>
    </message>
    <message>
        <source>offset?</source>
        <translation>Versatz?</translation>
    </message>
    <message>
        <source>Offsets</source>
        <translation>Versatz</translation>
    </message>
    <message>
        <source>Offsets are being found.</source>
        <translation>Der Versatz wird gesucht.</translation>
    </message>
    <message>
        <source>Offsets that are tried, each way from where the search starts.</source>
        <translation>Geprüfter Versatz, nach beiden Seiten vom Startpunkt der Suche.</translation>
    </message>
    <message>
        <source>Older parts of the recording of live cameras are removed; 0 keeps all.</source>
        <translation>Ältere Teile der Aufzeichnung von Live-Kameras werden entfernt; 0 behält alles.</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>On the floor when it begins, in metres</source>
        <translation>Am Boden, wenn es beginnt, in Metern</translation>
    </message>
    <message>
        <source>One Cali&amp;bration for All Frames</source>
        <translation>Eine Kali&amp;brierung für alle Bilder</translation>
    </message>
    <message>
        <source>One file for all cameras, or one for each</source>
        <translation>Eine Datei für alle Kameras, oder eine je Kamera</translation>
    </message>
    <message>
        <source>One frame back</source>
        <translation>Ein Bild zurück</translation>
    </message>
    <message>
        <source>One frame back or forward</source>
        <translation>Ein Bild zurück oder vor</translation>
    </message>
    <message>
        <source>One frame forward</source>
        <translation>Ein Bild vor</translation>
    </message>
    <message>
        <source>One of its clicks lies far from where the others place it</source>
        <translation>Einer seiner Klicks liegt weit von dem Ort, den die anderen ergeben</translation>
    </message>
    <message>
        <source>One of the two is not there in this frame.</source>
        <translation>Eine der beiden ist in diesem Bild nicht da.</translation>
    </message>
    <message>
        <source>One scene, seen by several cameras.</source>
        <translation>Eine Szene, gesehen von mehreren Kameras.</translation>
    </message>
    <message>
        <source>One Second Bac&amp;k</source>
        <translation>Eine &amp;Sekunde zurück</translation>
    </message>
    <message>
        <source>One second back</source>
        <translation>Eine Sekunde zurück</translation>
    </message>
    <message>
        <source>One Secon&amp;d Forward</source>
        <translation>Eine S&amp;ekunde vor</translation>
    </message>
    <message>
        <source>One second forward</source>
        <translation>Eine Sekunde vor</translation>
    </message>
    <message>
        <source>one unit is</source>
        <translation>Eine Einheit ist</translation>
    </message>
    <message>
        <source>One video for each camera, or its files of one recording</source>
        <translation>Ein Video je Kamera, oder ihre Dateien einer Aufzeichnung</translation>
    </message>
    <message>
        <source>One video for each; Space checks</source>
        <translation>Für jede ein Video; Leertaste hakt an</translation>
    </message>
    <message>
        <source>One video with &amp;all of them and the plan</source>
        <translation>Ein Video mit &amp;allen und dem Plan</translation>
    </message>
    <message>
        <source>Only %1 of %2 pictures a second arrive: %3.</source>
        <translation>Nur %1 von %2 Bildern je Sekunde kommen an: %3.</translation>
    </message>
    <message>
        <source>Only frames between I and O count; all where no range is marked</source>
        <translation>Nur Bilder zwischen I und O zählen; alle, wenn kein Bereich markiert ist</translation>
    </message>
    <message>
        <source>Only ours</source>
        <translation>Nur eigene</translation>
    </message>
    <message>
        <source>Only ru&amp;les</source>
        <translation>N&amp;ur Regeln</translation>
    </message>
    <message>
        <source>Only the marked &amp;range</source>
        <translation>Nur der markierte &amp;Bereich</translation>
    </message>
    <message>
        <source>Only the marked range</source>
        <translation>Nur der markierte Bereich</translation>
    </message>
    <message>
        <source>Only theirs</source>
        <translation>Nur fremde</translation>
    </message>
    <message>
        <source>Only these: names or IDs, with commas between, as in Anna, 7</source>
        <translation>Nur diese: Namen oder IDs, mit Kommas dazwischen, etwa Anna, 7</translation>
    </message>
    <message>
        <source>Only where two people passed each other.</source>
        <translation>Nur wo zwei Personen aneinander vorbeigingen.</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx)</source>
        <translation>ONNX-Modelle (*.onnx)</translation>
    </message>
    <message>
        <source>ONNX models of the families RTMDet, YOLOX, NanoDet, DETR, RF-DETR, D-FINE or RTMO. Cameras with a file of detections keep it.</source>
        <translation>ONNX-Modelle der Familien RTMDet, YOLOX, NanoDet, DETR, RF-DETR, D-FINE oder RTMO. Kameras mit einer Datei von Erkennungen behalten sie.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>Open a project file</source>
        <translation>Eine Projektdatei öffnen</translation>
    </message>
    <message>
        <source>Open a project first.</source>
        <translation>Zuerst ein Projekt öffnen.</translation>
    </message>
    <message>
        <source>Open a project to change its parameters.</source>
        <translation>Ein Projekt öffnen, um seine Parameter zu ändern.</translation>
    </message>
    <message>
        <source>Open a project to compare results.</source>
        <translation>Ein Projekt öffnen, um Ergebnisse zu vergleichen.</translation>
    </message>
    <message>
        <source>Open a project to keep variants of its parameters.</source>
        <translation>Ein Projekt öffnen, um Varianten seiner Parameter zu behalten.</translation>
    </message>
    <message>
        <source>Open Anyway</source>
        <translation>Trotzdem öffnen</translation>
    </message>
    <message>
        <source>Open &amp;Demonstration</source>
        <translation>&amp;Demonstration öffnen</translation>
    </message>
    <message>
        <source>Open Demonstration</source>
        <translation>Demonstration öffnen</translation>
    </message>
    <message>
        <source>Open File</source>
        <translation>Datei öffnen</translation>
    </message>
    <message>
        <source>Open Folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>&amp;Open in Browser</source>
        <translation>Im &amp;Browser öffnen</translation>
    </message>
    <message>
        <source>Open Project</source>
        <translation>Projekt öffnen</translation>
    </message>
    <message>
        <source>Open &amp;Recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Open the demonstration and play it; the first time it is rendered here, in some minutes</source>
        <translation>Die Demonstration öffnen und abspielen; beim ersten Mal wird sie hier in einigen Minuten berechnet</translation>
    </message>
    <message>
        <source>Open the models, then detect by them</source>
        <translation>Die Modelle öffnen, dann mit ihnen erkennen</translation>
    </message>
    <message>
        <source>opened</source>
        <translation>geöffnet</translation>
    </message>
    <message>
        <source>Opening</source>
        <translation>Wird geöffnet</translation>
    </message>
    <message>
        <source>Opening %1…</source>
        <translation>%1 wird geöffnet…</translation>
    </message>
    <message>
        <source>Opening the videos …</source>
        <translation>Die Videos werden geöffnet …</translation>
    </message>
    <message>
        <source>opening…</source>
        <translation>wird geöffnet…</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <source>Optical Flo&amp;w</source>
        <translation>&amp;Optischer Fluss</translation>
    </message>
    <message>
        <source>Optical flow</source>
        <translation>Optischer Fluss</translation>
    </message>
    <message>
        <source>Optical flow is switched off in this project.</source>
        <translation>Der optische Fluss ist in diesem Projekt ausgeschaltet.</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>Ursprung</translation>
    </message>
    <message>
        <source>origin as now</source>
        <translation>Ursprung wie jetzt</translation>
    </message>
    <message>
        <source>origin at %1</source>
        <translation>Ursprung bei %1</translation>
    </message>
    <message>
        <source>Ori&amp;ginals, not blurred</source>
        <translation>Ori&amp;ginale, unverändert</translation>
    </message>
    <message>
        <source>Other machines can reach this address. Set a token that they have to send.</source>
        <translation>Andere Rechner erreichen diese Adresse. Ein Token setzen, das sie senden müssen.</translation>
    </message>
    <message>
        <source>Other programs read status, frames, tracks and pictures here, and a browser shows a page: results on disk, a run in progress, and live cameras.</source>
        <translation>Andere Programme lesen hier Status, Bilder, Spuren und Kamerabilder, und ein Browser zeigt eine Seite: gespeicherte Ergebnisse, einen laufenden Lauf und Live-Kameras.</translation>
    </message>
    <message>
        <source>Others, on which the best value is tested; can be empty</source>
        <translation>Andere, auf denen der beste Wert geprüft wird; darf leer sein</translation>
    </message>
    <message>
        <source>Out %1</source>
        <translation>Aus %1</translation>
    </message>
    <message>
        <source>Out of date</source>
        <translation>Veraltet</translation>
    </message>
    <message>
        <source>out of date</source>
        <translation>veraltet</translation>
    </message>
    <message>
        <source>Out of view</source>
        <translation>Außer Sicht</translation>
    </message>
    <message>
        <source>Out-of-view cost</source>
        <translation>Kosten außer Sicht</translation>
    </message>
    <message>
        <source>Outline drop</source>
        <translation>Umrissabfall</translation>
    </message>
    <message>
        <source>Outlines</source>
        <translation>Umrisse</translation>
    </message>
    <message>
        <source>Outlines of people</source>
        <translation>Umrisse von Personen</translation>
    </message>
    <message>
        <source>Over after</source>
        <translation>Vorbei nach</translation>
    </message>
    <message>
        <source>Over HTTP, for as long as a project is open</source>
        <translation>Über HTTP, solange ein Projekt offen ist</translation>
    </message>
    <message>
        <source>Over time</source>
        <translation>Über der Zeit</translation>
    </message>
    <message>
        <source>Over time, how often each value occurs, or one figure over another</source>
        <translation>Über der Zeit, Häufigkeit der Werte oder eine Kennzahl über einer anderen</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>Überlappung</translation>
    </message>
    <message>
        <source>&amp;Overlays</source>
        <translation>&amp;Einblendungen</translation>
    </message>
    <message>
        <source>Overlays</source>
        <translation>Einblendungen</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>Überschreiben</translation>
    </message>
    <message>
        <source>Own</source>
        <translation>Eigenes</translation>
    </message>
    <message>
        <source>p50</source>
        <translation>p50</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>p99</source>
        <translation>p99</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Pages (*.pdf *.html)</source>
        <translation>Seiten (*.pdf *.html)</translation>
    </message>
    <message>
        <source>Paint masks over people in the pictures: drag; Shift erases; the wheel changes the size, Ctrl+wheel zooms; Esc ends</source>
        <translation>Masken über Personen in die Bilder malen: ziehen; Umschalt radiert; das Mausrad ändert die Größe, Strg+Mausrad vergrößert; Esc beendet</translation>
    </message>
    <message>
        <source>Painted</source>
        <translation>Bemalt</translation>
    </message>
    <message>
        <source>painted frames not measured with these parameters yet: %1</source>
        <translation>bemalte Bilder, mit diesen Parametern noch nicht gemessen: %1</translation>
    </message>
    <message>
        <source>Painted frames, the worst first</source>
        <translation>Bemalte Bilder, die schlechtesten zuerst</translation>
    </message>
    <message>
        <source>Pair of cameras</source>
        <translation>Kamerapaar</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>Pairs for the GPU</source>
        <translation>Paare für die GPU</translation>
    </message>
    <message>
        <source>Pan</source>
        <translation>Schwenken</translation>
    </message>
    <message>
        <source>Pa&amp;rameter</source>
        <translation>&amp;Parameter</translation>
    </message>
    <message>
        <source>parameter</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>&amp;Parameters</source>
        <translation>P&amp;arameter</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Parameters of the chosen variant that differ from those in use</source>
        <translation>Parameter der gewählten Variante, die von den verwendeten abweichen</translation>
    </message>
    <message>
        <source>Part of a name or of what it means</source>
        <translation>Teil eines Namens oder der Bedeutung</translation>
    </message>
    <message>
        <source>Part of a window that the next one decides again, at most half of it.</source>
        <translation>Teil eines Fensters, über den das nächste neu entscheidet, höchstens die Hälfte.</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>bestanden</translation>
    </message>
    <message>
        <source>passed; limit: %1</source>
        <translation>bestanden; Grenze: %1</translation>
    </message>
    <message>
        <source>&amp;Password</source>
        <translation>&amp;Passwort</translation>
    </message>
    <message>
        <source>Pass&amp;word</source>
        <translation>&amp;Passwort</translation>
    </message>
    <message>
        <source>Password at the broker; kept in %1, never in the project</source>
        <translation>Passwort beim Broker; gespeichert in %1, nie im Projekt</translation>
    </message>
    <message>
        <source>Past</source>
        <translation>Vergangenheit</translation>
    </message>
    <message>
        <source>past %1 of %2, %3 of %4</source>
        <translation>zurück %1 von %2, %3 von %4</translation>
    </message>
    <message>
        <source>Past that is kept</source>
        <translation>Gespeicherte Vergangenheit</translation>
    </message>
    <message>
        <source>Past, maximum size</source>
        <translation>Vergangenheit, Höchstgröße</translation>
    </message>
    <message>
        <source>Paths</source>
        <translation>Wege</translation>
    </message>
    <message>
        <source>Paths are tracked in windows of this length: the latency. 0 takes the whole range at once, of live cameras 4 s.</source>
        <translation>Wege werden in Fenstern dieser Länge verfolgt: die Verzögerung. 0 nimmt den ganzen Bereich auf einmal, bei Live-Kameras 4 s.</translation>
    </message>
    <message>
        <source>paths by motion</source>
        <translation>Wege nach Bewegung</translation>
    </message>
    <message>
        <source>paths on the graph</source>
        <translation>Wege im Graphen</translation>
    </message>
    <message>
        <source>paths on the grid</source>
        <translation>Wege im Raster</translation>
    </message>
    <message>
        <source>Pa&amp;use</source>
        <translation>An&amp;halten</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Pause to see the answer for the frame shown.</source>
        <translation>Anhalten, um die Antwort für das gezeigte Bild zu sehen.</translation>
    </message>
    <message>
        <source>Pause to see the height map of a frame.</source>
        <translation>Anhalten, um die Höhenkarte eines Bilds zu sehen.</translation>
    </message>
    <message>
        <source>PDF pages (*.pdf)</source>
        <translation>PDF-Seiten (*.pdf)</translation>
    </message>
    <message>
        <source>PEM file of the authorities to trust for encryption, in place of the machine's; for a certificate of your own</source>
        <translation>PEM-Datei der Stellen, denen bei der Verschlüsselung vertraut wird, anstelle derer des Rechners; für ein eigenes Zertifikat</translation>
    </message>
    <message>
        <source>PEM file with the certificate's private key, without a password</source>
        <translation>PEM-Datei mit dem privaten Schlüssel des Zertifikats, ohne Passwort</translation>
    </message>
    <message>
        <source>PEM file with this machine's certificate: results are then served encrypted, at https://; empty: not encrypted</source>
        <translation>PEM-Datei mit dem Zertifikat dieses Rechners: Ergebnisse werden dann verschlüsselt unter https:// bereitgestellt; leer: unverschlüsselt</translation>
    </message>
    <message>
        <source>PEM files (*.pem *.crt *.cer *.key);;All files (*)</source>
        <translation>PEM-Dateien (*.pem *.crt *.cer *.key);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>PEM files (*.pem *.crt *.cer);;All files (*)</source>
        <translation>PEM-Dateien (*.pem *.crt *.cer);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Penalty of a missing view</source>
        <translation>Abzug je fehlender Ansicht</translation>
    </message>
    <message>
        <source>&amp;People</source>
        <translation>&amp;Personen</translation>
    </message>
    <message>
        <source>P&amp;eople</source>
        <translation>P&amp;ersonen</translation>
    </message>
    <message>
        <source>People</source>
        <translation>Personen</translation>
    </message>
    <message>
        <source>people</source>
        <translation>Personen</translation>
    </message>
    <message>
        <source>People are being compared under two calibrations.</source>
        <translation>Personen werden unter zwei Kalibrierungen verglichen.</translation>
    </message>
    <message>
        <source>people are class</source>
        <translation>Personen sind Klasse</translation>
    </message>
    <message>
        <source>People are compared in a calibrated recording.</source>
        <translation>Personen werden in einer kalibrierten Aufzeichnung verglichen.</translation>
    </message>
    <message>
        <source>People are detected by %1 (%2, %3 px, %4 %5).</source>
        <translation>Personen werden mit %1 erkannt (%2, %3 px, %4 %5).</translation>
    </message>
    <message>
        <source>People as Box, Ri&amp;ng or ID</source>
        <translation>Personen als Rahmen, R&amp;ing oder ID</translation>
    </message>
    <message>
        <source>people cannot tell which is better</source>
        <translation>Personen zeigen nicht, welche besser ist</translation>
    </message>
    <message>
        <source>People differ in %1 of %2 frames; changes of identity: %3.</source>
        <translation>Personen unterscheiden sich in %1 von %2 Bildern; Identitätswechsel: %3.</translation>
    </message>
    <message>
        <source>people favour the present calibration</source>
        <translation>Personen sprechen für die jetzige Kalibrierung</translation>
    </message>
    <message>
        <source>people favour the proposal</source>
        <translation>Personen sprechen für den Vorschlag</translation>
    </message>
    <message>
        <source>People match within 0.5 m, from the first frame with a set position to the last. MODA: 1 minus the share of missed and false people. IDF1: F1 score of positions with the right ID. OSPA, GOSPA: errors of position, missed and false people together, in metres, cut off at 0.5 m. The page Quality has intervals and parts.</source>
        <translation>Personen passen innerhalb von 0,5 m zusammen, vom ersten Bild mit gesetztem Ort bis zum letzten. MODA: 1 minus der Anteil verfehlter und falscher Personen. IDF1: F1-Wert der Orte mit der richtigen ID. OSPA, GOSPA: Ortsfehler, verfehlte und falsche Personen zusammen, in Metern, bei 0,5 m begrenzt. Die Seite „Qualität“ hat Intervalle und Teile.</translation>
    </message>
    <message>
        <source>People match within 0.5 m, which is OSPA's and GOSPA's cut-off, too. Intervals: 2000 samples of blocks of frames; IDF1, IDR and HOTA under the identities of the whole recording.</source>
        <translation>Personen passen innerhalb von 0,5 m zusammen; das ist auch die Grenze von OSPA und GOSPA. Intervalle: 2000 Stichproben von Bildblöcken; IDF1, IDR und HOTA mit den Identitäten der ganzen Aufzeichnung.</translation>
    </message>
    <message>
        <source>People must be detected: choose a model (Analysis ▸ Detector…), or make the project with files of detections.</source>
        <translation>Personen müssen erkannt werden: Ein Modell wählen (Analyse ▸ Detektor…) oder das Projekt mit Dateien von Erkennungen anlegen.</translation>
    </message>
    <message>
        <source>People place cameras of a calibrated recording.</source>
        <translation>Durch Personen werden Kameras einer kalibrierten Aufzeichnung eingemessen.</translation>
    </message>
    <message>
        <source>People shorter than this, in metres, by the median of a track</source>
        <translation>Personen kleiner als dies, in Metern, nach dem Median einer Spur</translation>
    </message>
    <message>
        <source>People taller than this, in metres, by the median of a track</source>
        <translation>Personen größer als dies, in Metern, nach dem Median einer Spur</translation>
    </message>
    <message>
        <source>People this far around the areas, or the grid, are estimated too but not reported: their outlines are then not taken for other people's.</source>
        <translation>Personen so weit um die Flächen oder das Raster werden auch geschätzt, aber nicht gemeldet: Ihre Umrisse gelten dann nicht als die anderer.</translation>
    </message>
    <message>
        <source>People written to %1.</source>
        <translation>Personen nach %1 geschrieben.</translation>
    </message>
    <message>
        <source>People's he&amp;ight</source>
        <translation>&amp;Körpergröße</translation>
    </message>
    <message>
        <source>People, by name or ID</source>
        <translation>Personen, nach Name oder ID</translation>
    </message>
    <message>
        <source>People, now and proposed: %1 and %2 tracks, %3 and %4 person-frames, %5 of them the same people; these apart by %6 cm (median) and %7 cm (95 %). Outlines miss by %8 and %9 px</source>
        <translation>Personen, jetzt und vorgeschlagen: %1 und %2 Spuren, %3 und %4 Personenbilder, davon %5 dieselben Personen; diese %6 cm auseinander (Median), %7 cm (95 %). Umrisse weichen um %8 und %9 px ab</translation>
    </message>
    <message>
        <source>Peo&amp;ple…</source>
        <translation>&amp;Personen…</translation>
    </message>
    <message>
        <source>per frame</source>
        <translation>je Bild</translation>
    </message>
    <message>
        <source>per grey level</source>
        <translation>je Graustufe</translation>
    </message>
    <message>
        <source>Person</source>
        <translation>Person</translation>
    </message>
    <message>
        <source>person %1</source>
        <translation>Person %1</translation>
    </message>
    <message>
        <source>person %1 leaves</source>
        <translation>Person %1 geht</translation>
    </message>
    <message>
        <source>Person height</source>
        <translation>Personengröße</translation>
    </message>
    <message>
        <source>Person width</source>
        <translation>Personenbreite</translation>
    </message>
    <message>
        <source>Person, by name or ID</source>
        <translation>Person, nach Name oder ID</translation>
    </message>
    <message>
        <source>Pick &amp;Up Boards</source>
        <translation>Tafeln a&amp;ufnehmen</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>picture %1</source>
        <translation>Aufnahme %1</translation>
    </message>
    <message>
        <source>Picture and map side by side</source>
        <translation>Bild und Karte nebeneinander</translation>
    </message>
    <message>
        <source>Picture of the camera</source>
        <translation>Bild der Kamera</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Pictures (*.svg *.pdf *.png);;Values (*.csv)</source>
        <translation>Bilder (*.svg *.pdf *.png);;Werte (*.csv)</translation>
    </message>
    <message>
        <source>pictures are decoded too late</source>
        <translation>Bilder werden zu spät dekodiert</translation>
    </message>
    <message>
        <source>Pictures do not reach this machine: %1.%2 Check these cameras and the network.</source>
        <translation>Bilder erreichen diesen Rechner nicht: %1.%2 Diese Kameras und das Netz prüfen.</translation>
    </message>
    <message>
        <source>Pictures of a camera that shakes by a few pixels are brought back to rest before masks are made; automatic: where pictures of the empty scene or of the recording show that it shakes.</source>
        <translation>Bilder einer Kamera, die um einige Pixel wackelt, werden vor der Maskenbildung in Ruhelage gebracht; automatic: wo Bilder der leeren Szene oder der Aufzeichnung zeigen, dass sie wackelt.</translation>
    </message>
    <message>
        <source>pictures of boards</source>
        <translation>Aufnahmen der Tafeln</translation>
    </message>
    <message>
        <source>pictures of boards, row %1</source>
        <translation>Aufnahmen der Tafeln, Zeile %1</translation>
    </message>
    <message>
        <source>Picture&amp;s of events</source>
        <translation>Bi&amp;lder der Ereignisse</translation>
    </message>
    <message>
        <source>Pictures of the board</source>
        <translation>Aufnahmen der Tafel</translation>
    </message>
    <message>
        <source>Pictures of the last two minutes, as a share of the declared rate</source>
        <translation>Bilder der letzten zwei Minuten, als Anteil der angegebenen Rate</translation>
    </message>
    <message>
        <source>Pictures of this board were picked up: forget them first (Ctrl+Alt+W).</source>
        <translation>Von dieser Tafel wurden Bilder aufgenommen: zuerst verwerfen (Strg+Alt+W).</translation>
    </message>
    <message>
        <source>Pictures, the worst first</source>
        <translation>Aufnahmen, die schlechtesten zuerst</translation>
    </message>
    <message>
        <source>&amp;Picture…</source>
        <translation>&amp;Bild…</translation>
    </message>
    <message>
        <source>Pixels inside the mask of this frame</source>
        <translation>Pixel in der Maske dieses Bilds</translation>
    </message>
    <message>
        <source>Pixels that only one of the masks has</source>
        <translation>Pixel, die nur eine der Masken hat</translation>
    </message>
    <message>
        <source>Place the ticked cameras by the clicked points; the others are fixed</source>
        <translation>Die angehakten Kameras durch die angeklickten Punkte einmessen; die anderen bleiben fest</translation>
    </message>
    <message>
        <source>Place the ticked cameras by the people in the marked range; tick all, or leave two or more fixed; Esc stops</source>
        <translation>Die angehakten Kameras durch die Personen im markierten Bereich einmessen; alle anhaken oder mindestens zwei fest lassen; Esc bricht ab</translation>
    </message>
    <message>
        <source>place to search</source>
        <translation>Suchort</translation>
    </message>
    <message>
        <source>Placed by clicked points. %1</source>
        <translation>Durch angeklickte Punkte eingemessen. %1</translation>
    </message>
    <message>
        <source>Placed by people: %1</source>
        <translation>Durch Personen eingemessen: %1</translation>
    </message>
    <message>
        <source>Placing cameras by people</source>
        <translation>Einmessung durch Personen</translation>
    </message>
    <message>
        <source>Plain chessboards cannot be distinguished: choose a ChArUco board or a grid of tags first.</source>
        <translation>Einfache Schachbretter sind nicht unterscheidbar: zuerst eine ChArUco-Tafel oder ein Markenraster wählen.</translation>
    </message>
    <message>
        <source>Plan of the cameras</source>
        <translation>Plan der Kameras</translation>
    </message>
    <message>
        <source>Plan of the floor</source>
        <translation>Plan des Bodens</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Play a sound for every new event</source>
        <translation>Bei jedem neuen Ereignis einen Ton abspielen</translation>
    </message>
    <message>
        <source>Play &amp;Backwards</source>
        <translation>&amp;Rückwärts abspielen</translation>
    </message>
    <message>
        <source>Play backwards; again: faster. With K held: one frame back</source>
        <translation>Rückwärts abspielen; erneut: schneller. Mit gehaltenem K: ein Bild zurück</translation>
    </message>
    <message>
        <source>Play For&amp;wards</source>
        <translation>&amp;Vorwärts abspielen</translation>
    </message>
    <message>
        <source>Play forwards; again: faster. With K held: one frame forward</source>
        <translation>Vorwärts abspielen; erneut: schneller. Mit gehaltenem K: ein Bild vor</translation>
    </message>
    <message>
        <source>&amp;Play or Pause</source>
        <translation>&amp;Abspielen oder anhalten</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>Abspielen oder anhalten</translation>
    </message>
    <message>
        <source>Play the sound of alarms once, this loud</source>
        <translation>Den Alarmton einmal in dieser Lautstärke abspielen</translation>
    </message>
    <message>
        <source>&amp;Playback</source>
        <translation>&amp;Wiedergabe</translation>
    </message>
    <message>
        <source>Playback rate</source>
        <translation>Abspielgeschwindigkeit</translation>
    </message>
    <message>
        <source>Playback rate (J, K, L)</source>
        <translation>Abspielgeschwindigkeit (J, K, L)</translation>
    </message>
    <message>
        <source>&amp;Plot</source>
        <translation>&amp;Zeichnen</translation>
    </message>
    <message>
        <source>Plot figures of the results: over time, how often, or one over another</source>
        <translation>Kennzahlen der Ergebnisse zeichnen: über der Zeit, nach Häufigkeit oder eine über der anderen</translation>
    </message>
    <message>
        <source>Plot written to %1.</source>
        <translation>Diagramm nach %1 geschrieben.</translation>
    </message>
    <message>
        <source>P&amp;lots</source>
        <translation>&amp;Diagramme</translation>
    </message>
    <message>
        <source>Plots</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Plots over time show the part of the time that the timeline shows; off: a part of their own</source>
        <translation>Diagramme über der Zeit zeigen den Teil der Zeit, den die Zeitleiste zeigt; aus: einen eigenen</translation>
    </message>
    <message>
        <source>plus</source>
        <translation>plus</translation>
    </message>
    <message>
        <source>PNG pictures (*.png)</source>
        <translation>PNG-Bilder (*.png)</translation>
    </message>
    <message>
        <source>Point</source>
        <translation>Punkt</translation>
    </message>
    <message>
        <source>Point at a picture first, then press Ctrl+?.</source>
        <translation>Zuerst auf ein Bild zeigen, dann Strg+? drücken.</translation>
    </message>
    <message>
        <source>Point at an arrow or click it to read it; choose a picture in the list.</source>
        <translation>Auf einen Pfeil zeigen oder klicken, um ihn zu lesen; eine Aufnahme in der Liste auswählen.</translation>
    </message>
    <message>
        <source>Point at an arrow or click it to read it; choose a point in the list.</source>
        <translation>Auf einen Pfeil zeigen oder klicken, um ihn zu lesen; einen Punkt in der Liste auswählen.</translation>
    </message>
    <message>
        <source>Point at the floor and press ?, or at a pixel and press Ctrl+?; or use the right mouse button.</source>
        <translation>Auf den Boden zeigen und ? drücken, oder auf ein Pixel und Strg+?; oder die rechte Maustaste verwenden.</translation>
    </message>
    <message>
        <source>Point at the floor in a picture or the scene first, then press ?.</source>
        <translation>Zuerst in einem Bild oder der Szene auf den Boden zeigen, dann ? drücken.</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>&amp;Polygon</source>
        <translation>P&amp;olygon</translation>
    </message>
    <message>
        <source>Polynomial: k1 k2 p1 p2; rational: up to k6; fisheye: k1 to k4. Cameras without a calibration are solved in any case</source>
        <translation>Polynom: k1 k2 p1 p2; rational: bis k6; Fischauge: k1 bis k4. Kameras ohne Kalibrierung werden in jedem Fall berechnet</translation>
    </message>
    <message>
        <source>&amp;Port</source>
        <translation>&amp;Port</translation>
    </message>
    <message>
        <source>Pose</source>
        <translation>Pose</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>Position</translation>
    </message>
    <message>
        <source>Position jitter</source>
        <translation>Ortsstreuung</translation>
    </message>
    <message>
        <source>Position jitter of motion</source>
        <translation>Ortsstreuung bei motion</translation>
    </message>
    <message>
        <source>Positions on the floor need a calibration.</source>
        <translation>Orte am Boden brauchen eine Kalibrierung.</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Precision of messages in the GPU's memory, sums are fp32; the CPU keeps fp32.</source>
        <translation>Genauigkeit der Nachrichten im Speicher der GPU, Summen in fp32; die CPU bleibt bei fp32.</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Pre&amp;ferences…</source>
        <translation>&amp;Einstellungen…</translation>
    </message>
    <message>
        <source>Preferences…</source>
        <translation>Einstellungen…</translation>
    </message>
    <message>
        <source>Presence</source>
        <translation>Anwesenheit</translation>
    </message>
    <message>
        <source>preview, not exact</source>
        <translation>Vorschau, nicht genau</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>Voriger</translation>
    </message>
    <message>
        <source>Previous Bookmar&amp;k</source>
        <translation>Voriges Lesezei&amp;chen</translation>
    </message>
    <message>
        <source>&amp;Previous Difference</source>
        <translation>&amp;Voriger Unterschied</translation>
    </message>
    <message>
        <source>Pre&amp;vious Doubtful Identity</source>
        <translation>&amp;Vorige zweifelhafte Identität</translation>
    </message>
    <message>
        <source>Pre&amp;vious Found</source>
        <translation>&amp;Voriger Treffer</translation>
    </message>
    <message>
        <source>P&amp;revious Frame</source>
        <translation>V&amp;origes Bild</translation>
    </message>
    <message>
        <source>Previous Frame of Bin</source>
        <translation>Voriges Bild der Klasse</translation>
    </message>
    <message>
        <source>&amp;Previous Person</source>
        <translation>&amp;Vorige Person</translation>
    </message>
    <message>
        <source>Print the Board on %1</source>
        <translation>Tafel auf %1 drucken</translation>
    </message>
    <message>
        <source>Print the &amp;Board…</source>
        <translation>Tafel &amp;drucken…</translation>
    </message>
    <message>
        <source>Print…</source>
        <translation>Drucken…</translation>
    </message>
    <message>
        <source>Prior</source>
        <translation>A-priori-Wert</translation>
    </message>
    <message>
        <source>Private &amp;key</source>
        <translation>Privater &amp;Schlüssel</translation>
    </message>
    <message>
        <source>Probability that a camera's detector finds a person whom nothing hides.</source>
        <translation>Wahrscheinlichkeit, dass der Detektor einer Kamera eine unverdeckte Person findet.</translation>
    </message>
    <message>
        <source>Probability that a person stands in a cell before any picture is seen.</source>
        <translation>Wahrscheinlichkeit, dass eine Person in einer Zelle steht, bevor ein Bild gesehen ist.</translation>
    </message>
    <message>
        <source>&amp;Program</source>
        <translation>Pro&amp;gramm</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Progress of the height map</source>
        <translation>Fortschritt der Höhenkarte</translation>
    </message>
    <message>
        <source>project changed</source>
        <translation>Projekt geändert</translation>
    </message>
    <message>
        <source>Project collected: %1, with %2 files.</source>
        <translation>Projekt gesammelt: %1, mit %2 Dateien.</translation>
    </message>
    <message>
        <source>Projects may come from others: allow only what you know.</source>
        <translation>Projekte können von anderen stammen: nur Bekanntes erlauben.</translation>
    </message>
    <message>
        <source>Propose a pose by the people of the footage</source>
        <translation>Eine Lage durch die Personen der Aufnahmen vorschlagen</translation>
    </message>
    <message>
        <source>Propose lenses, poses and offsets by the people who walk in the footage</source>
        <translation>Linsen, Lagen und Versätze nach den Personen vorschlagen, die in den Aufnahmen gehen</translation>
    </message>
    <message>
        <source>Proposed calibration</source>
        <translation>Vorgeschlagene Kalibrierung</translation>
    </message>
    <message>
        <source>Proposed offset</source>
        <translation>Vorgeschlagener Versatz</translation>
    </message>
    <message>
        <source>Published method: each window starts from what the window before found.</source>
        <translation>Veröffentlichte Methode: Jedes Fenster beginnt mit dem Befund des vorigen.</translation>
    </message>
    <message>
        <source>Published method: expected difference of two corresponding lines.</source>
        <translation>Veröffentlichte Methode: erwarteter Unterschied zweier entsprechender Linien.</translation>
    </message>
    <message>
        <source>Published method: frames compared at once.</source>
        <translation>Veröffentlichte Methode: auf einmal verglichene Bilder.</translation>
    </message>
    <message>
        <source>Put the cameras or the scene on another screen first.</source>
        <translation>Zuerst die Kameras oder die Szene auf einen anderen Bildschirm legen.</translation>
    </message>
    <message>
        <source>px</source>
        <translation>px</translation>
    </message>
    <message>
        <source>Pyramid levels</source>
        <translation>Pyramidenstufen</translation>
    </message>
    <message>
        <source>Pyramid scale</source>
        <translation>Pyramidenmaßstab</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>Qualität</translation>
    </message>
    <message>
        <source>Quality of the results</source>
        <translation>Qualität der Ergebnisse</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Quit Vantage</source>
        <translation>Vantage beenden</translation>
    </message>
    <message>
        <source>Radius</source>
        <translation>Radius</translation>
    </message>
    <message>
        <source>Radius of the brush, pixels of the picture; the wheel and [ ] change it</source>
        <translation>Radius des Pinsels, Pixel des Bilds; das Mausrad und [ ] ändern ihn</translation>
    </message>
    <message>
        <source>Radius of the outermost ring of the DAISY descriptor.</source>
        <translation>Radius des äußersten Rings des DAISY-Deskriptors.</translation>
    </message>
    <message>
        <source>Radius of what is compared, in diameters of a head as the reference camera sees it; 0: daisy.radius_px.</source>
        <translation>Radius des Verglichenen, in Kopfdurchmessern aus Sicht der Referenzkamera; 0: daisy.radius_px.</translation>
    </message>
    <message>
        <source>Raise the box by 1 cm</source>
        <translation>Den Quader um 1 cm anheben</translation>
    </message>
    <message>
        <source>Raise the box by 1 mm</source>
        <translation>Den Quader um 1 mm anheben</translation>
    </message>
    <message>
        <source>random</source>
        <translation>zufällig</translation>
    </message>
    <message>
        <source>Random points</source>
        <translation>Zufällige Punkte</translation>
    </message>
    <message>
        <source>Random points of two parameters are in the table below.</source>
        <translation>Zufällige Punkte zweier Parameter stehen in der Tabelle darunter.</translation>
    </message>
    <message>
        <source>Ranges are marked in recordings, not in live cameras.</source>
        <translation>Bereiche werden in Aufzeichnungen markiert, nicht in Live-Kameras.</translation>
    </message>
    <message>
        <source>Read a Board</source>
        <translation>Tafel lesen</translation>
    </message>
    <message>
        <source>R&amp;ead a Board…</source>
        <translation>Tafel &amp;lesen…</translation>
    </message>
    <message>
        <source>read board %1</source>
        <translation>Tafel %1 lesen</translation>
    </message>
    <message>
        <source>Read the guide, and search it</source>
        <translation>Das Handbuch lesen und durchsuchen</translation>
    </message>
    <message>
        <source>Read tracks on the floor (MOTChallenge CSV), or a project's ground truth: people missing here are added, disagreements are listed</source>
        <translation>Spuren am Boden lesen (MOTChallenge-CSV) oder die Referenz eines Projekts: Fehlende Personen werden hinzugefügt, Abweichungen aufgelistet</translation>
    </message>
    <message>
        <source>Reading the files</source>
        <translation>Die Dateien werden gelesen</translation>
    </message>
    <message>
        <source>Reading the foreground masks …</source>
        <translation>Die Vordergrundmasken werden gelesen …</translation>
    </message>
    <message>
        <source>Reading the results …</source>
        <translation>Die Ergebnisse werden gelesen …</translation>
    </message>
    <message>
        <source>Reading videos</source>
        <translation>Videos lesen</translation>
    </message>
    <message>
        <source>Read…</source>
        <translation>Lesen…</translation>
    </message>
    <message>
        <source>Reaso&amp;n</source>
        <translation>Gru&amp;nd</translation>
    </message>
    <message>
        <source>Reason for the export; recorded in the signed manifest</source>
        <translation>Grund des Exports; steht im signierten Manifest</translation>
    </message>
    <message>
        <source>Recent projects</source>
        <translation>Letzte Projekte</translation>
    </message>
    <message>
        <source>R&amp;ecord</source>
        <translation>Auf&amp;zeichnen</translation>
    </message>
    <message>
        <source>Record events</source>
        <translation>Ereignisse aufzeichnen</translation>
    </message>
    <message>
        <source>Record Into</source>
        <translation>Aufzeichnen nach</translation>
    </message>
    <message>
        <source>Record next: %1.</source>
        <translation>Als Nächstes aufnehmen: %1.</translation>
    </message>
    <message>
        <source>Record the live cameras with the results, next to the project, from some seconds before now until pressed again</source>
        <translation>Die Live-Kameras mit den Ergebnissen neben dem Projekt aufzeichnen, ab einigen Sekunden vor jetzt bis zum nächsten Druck</translation>
    </message>
    <message>
        <source>Record: %1</source>
        <translation>Aufzeichnen: %1</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>Aufzeichnung</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>Aufzeichnungen</translation>
    </message>
    <message>
        <source>&amp;Rectangles and IDs of people</source>
        <translation>&amp;Rechtecke und IDs der Personen</translation>
    </message>
    <message>
        <source>Redness of shadows</source>
        <translation>Rotton der Schatten</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Redo the last undone change</source>
        <translation>Die zuletzt rückgängig gemachte Änderung wiederholen</translation>
    </message>
    <message>
        <source>Redone: %1</source>
        <translation>Wiederholt: %1</translation>
    </message>
    <message>
        <source>Reductions besides the full size; levels below 32 px are left out.</source>
        <translation>Verkleinerungen neben der vollen Größe; Stufen unter 32 px entfallen.</translation>
    </message>
    <message>
        <source>Reference camera</source>
        <translation>Referenzkamera</translation>
    </message>
    <message>
        <source>Reference camera, from 1; 0: the one that sees the most floor.</source>
        <translation>Referenzkamera, ab 1; 0: die mit dem meisten Boden.</translation>
    </message>
    <message>
        <source>Refinements at every level.</source>
        <translation>Verfeinerungen auf jeder Stufe.</translation>
    </message>
    <message>
        <source>&amp;Refresh</source>
        <translation>&amp;Aktualisieren</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>Aktualisieren</translation>
    </message>
    <message>
        <source>&amp;Region</source>
        <translation>&amp;Gebiet</translation>
    </message>
    <message>
        <source>region</source>
        <translation>Gebiet</translation>
    </message>
    <message>
        <source>Region step</source>
        <translation>Gebietsschritt</translation>
    </message>
    <message>
        <source>Region: the floor that is analysed</source>
        <translation>Gebiet: der ausgewertete Boden</translation>
    </message>
    <message>
        <source>Rejoin within</source>
        <translation>Wiederaufnahme innerhalb</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>remove a position of person %1</source>
        <translation>Ort der Person %1 entfernen</translation>
    </message>
    <message>
        <source>&amp;Remove Board</source>
        <translation>Tafel &amp;entfernen</translation>
    </message>
    <message>
        <source>remove board %1</source>
        <translation>Tafel %1 entfernen</translation>
    </message>
    <message>
        <source>&amp;Remove Box</source>
        <translation>Quader &amp;entfernen</translation>
    </message>
    <message>
        <source>Remove calibration</source>
        <translation>Kalibrierung entfernen</translation>
    </message>
    <message>
        <source>&amp;Remove Ignored Region</source>
        <translation>Ignorierten Bereich &amp;entfernen</translation>
    </message>
    <message>
        <source>Remove Measu&amp;res</source>
        <translation>Messungen &amp;entfernen</translation>
    </message>
    <message>
        <source>Remove Person</source>
        <translation>Person entfernen</translation>
    </message>
    <message>
        <source>Remove Plot</source>
        <translation>Diagramm entfernen</translation>
    </message>
    <message>
        <source>Remove Position</source>
        <translation>Ort entfernen</translation>
    </message>
    <message>
        <source>Remove Rule</source>
        <translation>Regel entfernen</translation>
    </message>
    <message>
        <source>Remove specks</source>
        <translation>Flecken entfernen</translation>
    </message>
    <message>
        <source>Remove the calibrations that the ticked cameras have from a later frame on</source>
        <translation>Die Kalibrierungen entfernen, die die angehakten Kameras ab einem späteren Bild haben</translation>
    </message>
    <message>
        <source>Remove the chosen board from the list</source>
        <translation>Die gewählte Tafel aus der Liste entfernen</translation>
    </message>
    <message>
        <source>Remove the chosen box</source>
        <translation>Den gewählten Quader entfernen</translation>
    </message>
    <message>
        <source>Remove the chosen camera's mask of this frame, or all of this frame</source>
        <translation>Die Maske der gewählten Kamera in diesem Bild entfernen, oder alle dieses Bilds</translation>
    </message>
    <message>
        <source>Remove the chosen measures, or all; Undo restores them</source>
        <translation>Die gewählten Messungen, oder alle, entfernen; Rückgängig stellt sie wieder her</translation>
    </message>
    <message>
        <source>Remove the chosen person from the ground truth</source>
        <translation>Die gewählte Person aus der Referenz entfernen</translation>
    </message>
    <message>
        <source>Remove the chosen plot; Undo restores it</source>
        <translation>Das gewählte Diagramm entfernen; Rückgängig stellt es wieder her</translation>
    </message>
    <message>
        <source>Remove the chosen target; messages that wait for it stay on the disk</source>
        <translation>Das gewählte Ziel entfernen; Nachrichten, die darauf warten, bleiben gespeichert</translation>
    </message>
    <message>
        <source>Remove the chosen variant, and the results kept under its name</source>
        <translation>Die gewählte Variante und die unter ihrem Namen behaltenen Ergebnisse entfernen</translation>
    </message>
    <message>
        <source>Remove the selected repair from the project (Delete)</source>
        <translation>Die gewählte Korrektur aus dem Projekt entfernen (Entf)</translation>
    </message>
    <message>
        <source>Remove the variant %1%2? This cannot be undone.</source>
        <translation>Die Variante %1%2 entfernen? Das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>Remove this bookmark; Undo restores it</source>
        <translation>Dieses Lesezeichen entfernen; Rückgängig stellt es wieder her</translation>
    </message>
    <message>
        <source>Remove True Perso&amp;n</source>
        <translation>Referenz&amp;person entfernen</translation>
    </message>
    <message>
        <source>remove true person %1</source>
        <translation>Referenzperson %1 entfernen</translation>
    </message>
    <message>
        <source>Remove True Positio&amp;n</source>
        <translation>Referenz&amp;ort entfernen</translation>
    </message>
    <message>
        <source>Remove Variant</source>
        <translation>Variante entfernen</translation>
    </message>
    <message>
        <source>Re&amp;move Variant…</source>
        <translation>Variante en&amp;tfernen…</translation>
    </message>
    <message>
        <source>Remove what was set for the chosen person in this frame</source>
        <translation>Entfernen, was für die gewählte Person in diesem Bild gesetzt wurde</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Entfernen…</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Re&amp;name Camera</source>
        <translation>Kamera &amp;umbenennen</translation>
    </message>
    <message>
        <source>Rename the chosen camera: results, calibration, offsets, clicks and masks stay</source>
        <translation>Die gewählte Kamera umbenennen: Ergebnisse, Kalibrierung, Versatz, Klicks und Masken bleiben</translation>
    </message>
    <message>
        <source>&amp;Rename…</source>
        <translation>&amp;Umbenennen…</translation>
    </message>
    <message>
        <source>Repairs</source>
        <translation>Korrekturen</translation>
    </message>
    <message>
        <source>&amp;Replace</source>
        <translation>&amp;Ersetzen</translation>
    </message>
    <message>
        <source>Report a Problem: Save the Report</source>
        <translation>Problem melden: Bericht speichern</translation>
    </message>
    <message>
        <source>&amp;Report a Problem…</source>
        <translation>&amp;Problem melden…</translation>
    </message>
    <message>
        <source>&amp;Reset</source>
        <translation>&amp;Zurücksetzen</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>%1 zurücksetzen</translation>
    </message>
    <message>
        <source>Reset &amp;All</source>
        <translation>&amp;Alle zurücksetzen</translation>
    </message>
    <message>
        <source>Reset every preference</source>
        <translation>Alle Einstellungen zurücksetzen</translation>
    </message>
    <message>
        <source>&amp;Reset Layout</source>
        <translation>Anordnung &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>Rese&amp;t Nudge</source>
        <translation>Feinjustierung &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>Reset to %1</source>
        <translation>Zurücksetzen auf %1</translation>
    </message>
    <message>
        <source>&amp;Reset View</source>
        <translation>Ansicht &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>Residuals</source>
        <translation>Residuen</translation>
    </message>
    <message>
        <source>Residuals in its picture</source>
        <translation>Residuen in ihrem Bild</translation>
    </message>
    <message>
        <source>Residuals over the picture</source>
        <translation>Residuen über dem Bild</translation>
    </message>
    <message>
        <source>Resi&amp;duals…</source>
        <translation>Resi&amp;duen…</translation>
    </message>
    <message>
        <source>Residuals…</source>
        <translation>Residuen…</translation>
    </message>
    <message>
        <source>Restore Changes</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Restore the Layout</source>
        <translation>Anordnung zurückholen</translation>
    </message>
    <message>
        <source>Result of the sound test</source>
        <translation>Ergebnis des Tontests</translation>
    </message>
    <message>
        <source>Result of the sweep</source>
        <translation>Ergebnis der Wertereihe</translation>
    </message>
    <message>
        <source>Result of the test</source>
        <translation>Ergebnis des Tests</translation>
    </message>
    <message>
        <source>results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Results %1 ms after the last picture (95 % within %2 ms).</source>
        <translation>Ergebnisse %1 ms nach dem letzten Bild (95 % innerhalb von %2 ms).</translation>
    </message>
    <message>
        <source>Results A</source>
        <translation>Ergebnisse A</translation>
    </message>
    <message>
        <source>Results B</source>
        <translation>Ergebnisse B</translation>
    </message>
    <message>
        <source>Results by this ground truth</source>
        <translation>Ergebnisse nach dieser Referenz</translation>
    </message>
    <message>
        <source>Results in %1 of these frames: MODA %2, IDF1 %3, HOTA %4, OSPA %8 m, GOSPA %9 m; %5 missed, %6 false, %7 ID switches</source>
        <translation>Ergebnisse in %1 dieser Bilder: MODA %2, IDF1 %3, HOTA %4, OSPA %8 m, GOSPA %9 m; %5 verfehlt, %6 falsch, %7 ID-Wechsel</translation>
    </message>
    <message>
        <source>Results kept under its name, by Keep Results or by a run with it</source>
        <translation>Ergebnisse, unter ihrem Namen behalten oder mit ihr gerechnet</translation>
    </message>
    <message>
        <source>Results that are drawn in blue, with solid lines</source>
        <translation>Ergebnisse, die blau mit durchgezogenen Linien gezeichnet sind</translation>
    </message>
    <message>
        <source>Results that are drawn in orange, with dashed lines</source>
        <translation>Ergebnisse, die orange mit gestrichelten Linien gezeichnet sind</translation>
    </message>
    <message>
        <source>Results were served to other machines last time, at %1. They are not served now.</source>
        <translation>Zuletzt wurden Ergebnisse anderen Rechnern unter %1 bereitgestellt. Jetzt nicht.</translation>
    </message>
    <message>
        <source>Results written to %1.</source>
        <translation>Ergebnisse nach %1 geschrieben.</translation>
    </message>
    <message>
        <source>&amp;Results…</source>
        <translation>&amp;Ergebnisse…</translation>
    </message>
    <message>
        <source>Return or a double-click goes there</source>
        <translation>Eingabe oder Doppelklick führt hin</translation>
    </message>
    <message>
        <source>Re&amp;view</source>
        <translation>&amp;Sichten</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Richtig</translation>
    </message>
    <message>
        <source>right</source>
        <translation>rechts</translation>
    </message>
    <message>
        <source>Right button or menu key: save the plot</source>
        <translation>Rechte Taste oder Menütaste: Diagramm speichern</translation>
    </message>
    <message>
        <source>Rings</source>
        <translation>Ringe</translation>
    </message>
    <message>
        <source>Rings of histograms around a pixel.</source>
        <translation>Ringe von Histogrammen um ein Pixel.</translation>
    </message>
    <message>
        <source>RMS</source>
        <translation>RMS</translation>
    </message>
    <message>
        <source>RMS (px)</source>
        <translation>RMS (px)</translation>
    </message>
    <message>
        <source>Roll</source>
        <translation>Rollen</translation>
    </message>
    <message>
        <source>Root mean square of its clicks' distances, pixels</source>
        <translation>Quadratisches Mittel der Abweichungen ihrer Klicks, Pixel</translation>
    </message>
    <message>
        <source>Root mean square of what its clicks or outlines miss by, before and after</source>
        <translation>Quadratisches Mittel der Abweichungen ihrer Klicks oder Umrisse, vorher und nachher</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>rule %1</source>
        <translation>Regel %1</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Rules whose events are sent; none checked: all rules. Space checks</source>
        <translation>Regeln, deren Ereignisse gesendet werden; keine angehakt: alle. Leertaste hakt an</translation>
    </message>
    <message>
        <source>&amp;Rules…</source>
        <translation>&amp;Regeln…</translation>
    </message>
    <message>
        <source>Run the chain over the marked range under the present and the proposed calibration, and say whom each finds, how far the same people are apart, and which calibration their outlines favour; Esc stops</source>
        <translation>Die Kette über den markierten Bereich mit der jetzigen und der vorgeschlagenen Kalibrierung rechnen und angeben, wen jede findet, wie weit dieselben Personen auseinanderliegen und für welche ihre Umrisse sprechen; Esc bricht ab</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Save a report about the program and this machine</source>
        <translation>Einen Bericht über das Programm und diesen Rechner speichern</translation>
    </message>
    <message>
        <source>Save and &amp;Collect</source>
        <translation>Speichern und &amp;sammeln</translation>
    </message>
    <message>
        <source>Save and &amp;Export</source>
        <translation>Speichern und &amp;exportieren</translation>
    </message>
    <message>
        <source>Save as Baseline</source>
        <translation>Als Vergleichsstand speichern</translation>
    </message>
    <message>
        <source>&amp;Save as Baseline…</source>
        <translation>Als &amp;Vergleichsstand speichern…</translation>
    </message>
    <message>
        <source>Save &amp;As…</source>
        <translation>Speichern &amp;unter…</translation>
    </message>
    <message>
        <source>Save As…</source>
        <translation>Speichern unter…</translation>
    </message>
    <message>
        <source>Save Plot</source>
        <translation>Diagramm speichern</translation>
    </message>
    <message>
        <source>&amp;Save Plot…</source>
        <translation>Diagramm &amp;speichern…</translation>
    </message>
    <message>
        <source>Save Project</source>
        <translation>Projekt speichern</translation>
    </message>
    <message>
        <source>Save the chosen board as a PDF page at true size, on the smallest paper that it fits on</source>
        <translation>Die gewählte Tafel als PDF-Seite in wahrer Größe speichern, auf dem kleinsten passenden Papier</translation>
    </message>
    <message>
        <source>Save the project</source>
        <translation>Das Projekt speichern</translation>
    </message>
    <message>
        <source>Save the project first.</source>
        <translation>Zuerst das Projekt speichern.</translation>
    </message>
    <message>
        <source>Save the project first: a case is exported of what is saved.</source>
        <translation>Zuerst das Projekt speichern: Ein Fall wird aus dem Gespeicherten exportiert.</translation>
    </message>
    <message>
        <source>Save the project first: masks are stored next to its file.</source>
        <translation>Zuerst das Projekt speichern: Masken liegen neben seiner Datei.</translation>
    </message>
    <message>
        <source>Save the project first: messages wait in a folder next to it.</source>
        <translation>Zuerst das Projekt speichern: Nachrichten warten in einem Ordner daneben.</translation>
    </message>
    <message>
        <source>Save the project first: the results are served from the folder next to it.</source>
        <translation>Zuerst das Projekt speichern: Die Ergebnisse werden aus dem Ordner daneben bereitgestellt.</translation>
    </message>
    <message>
        <source>Save the project first: variants are stored next to it.</source>
        <translation>Zuerst das Projekt speichern: Varianten liegen daneben.</translation>
    </message>
    <message>
        <source>Save the project first: what is saved is collected.</source>
        <translation>Zuerst das Projekt speichern: gesammelt wird, was gespeichert ist.</translation>
    </message>
    <message>
        <source>Save the project to another file</source>
        <translation>Das Projekt in einer anderen Datei speichern</translation>
    </message>
    <message>
        <source>Save the project to keep it.</source>
        <translation>Das Projekt speichern, um es zu behalten.</translation>
    </message>
    <message>
        <source>Save the values as CSV, or the picture as SVG, PDF or PNG</source>
        <translation>Die Werte als CSV speichern, oder das Bild als SVG, PDF oder PNG</translation>
    </message>
    <message>
        <source>Say first where messages go.</source>
        <translation>Zuerst angeben, wohin Nachrichten gehen.</translation>
    </message>
    <message>
        <source>Say in which folder the chosen camera's pictures of the board are</source>
        <translation>Angeben, in welchem Ordner die Tafelbilder der gewählten Kamera liegen</translation>
    </message>
    <message>
        <source>Say in which video the chosen camera sees the board</source>
        <translation>Angeben, in welchem Video die gewählte Kamera die Tafel sieht</translation>
    </message>
    <message>
        <source>Say what the case is for.</source>
        <translation>Angeben, wozu der Fall dient.</translation>
    </message>
    <message>
        <source>Say when this frame was taken: all times are then times of day</source>
        <translation>Angeben, wann dieses Bild entstand: alle Zeiten sind dann Uhrzeiten</translation>
    </message>
    <message>
        <source>Say which folder is to be made.</source>
        <translation>Angeben, welcher Ordner angelegt wird.</translation>
    </message>
    <message>
        <source>Say which video was filmed by walking from board to board, two of them in the picture again and again: it links cameras that share no view, and does not become one of the project's</source>
        <translation>Angeben, welches Video auf dem Weg von Tafel zu Tafel gefilmt wurde, immer wieder zwei davon im Bild: Es verbindet Kameras ohne gemeinsame Sicht und wird keine Kamera des Projekts</translation>
    </message>
    <message>
        <source>Say who exports the case.</source>
        <translation>Angeben, wer den Fall exportiert.</translation>
    </message>
    <message>
        <source>Say who hands over.</source>
        <translation>Angeben, wer übergibt.</translation>
    </message>
    <message>
        <source>Say who stays recognisable: IDs, as in 3, 7.</source>
        <translation>Angeben, wer erkennbar bleibt: IDs, etwa 3, 7.</translation>
    </message>
    <message>
        <source>Say why a person is found at the position under the pointer, or no one: what each camera sees, and which threshold decides</source>
        <translation>Angeben, warum am Ort unter dem Mauszeiger eine Person gefunden wird oder niemand: was jede Kamera sieht und welche Schwelle entscheidet</translation>
    </message>
    <message>
        <source>Say why the pixel under the pointer is in the mask or not: colour, model, noise, distance, shadow, cleaning, voxels</source>
        <translation>Angeben, warum das Pixel unter dem Mauszeiger in der Maske ist oder nicht: Farbe, Modell, Rauschen, Abstand, Schatten, Bereinigung, Voxel</translation>
    </message>
    <message>
        <source>Sc&amp;ale</source>
        <translation>&amp;Skalieren</translation>
    </message>
    <message>
        <source>Scale the world so that the two chosen points are as far apart as measured</source>
        <translation>Die Welt so skalieren, dass die zwei gewählten Punkte so weit auseinanderliegen wie gemessen</translation>
    </message>
    <message>
        <source>scaled</source>
        <translation>skaliert</translation>
    </message>
    <message>
        <source>Scatter</source>
        <translation>Streudiagramm</translation>
    </message>
    <message>
        <source>&amp;Scene</source>
        <translation>&amp;Szene</translation>
    </message>
    <message>
        <source>Scene</source>
        <translation>Szene</translation>
    </message>
    <message>
        <source>Scene from the whole recording</source>
        <translation>Szene aus ganzer Aufzeichnung</translation>
    </message>
    <message>
        <source>Scene on An&amp;other Screen</source>
        <translation>S&amp;zene auf anderem Bildschirm</translation>
    </message>
    <message>
        <source>S&amp;cene Only</source>
        <translation>Nur S&amp;zene</translation>
    </message>
    <message>
        <source>&amp;Seal</source>
        <translation>&amp;Versiegeln</translation>
    </message>
    <message>
        <source>Sealed</source>
        <translation>Versiegelt</translation>
    </message>
    <message>
        <source>sealed</source>
        <translation>versiegelt</translation>
    </message>
    <message>
        <source>sealed, not compared yet</source>
        <translation>versiegelt, noch nicht verglichen</translation>
    </message>
    <message>
        <source>Sealing %1: %2 s</source>
        <translation>%1 wird versiegelt: %2 s</translation>
    </message>
    <message>
        <source>Seals and Custody</source>
        <translation>Siegel und Verwahrung</translation>
    </message>
    <message>
        <source>Sea&amp;ls and Custody…</source>
        <translation>Siege&amp;l und Verwahrung …</translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation>&amp;Suche</translation>
    </message>
    <message>
        <source>Search a folder for the files that are not where the project says</source>
        <translation>Einen Ordner nach den Dateien durchsuchen, die nicht am angegebenen Ort liegen</translation>
    </message>
    <message>
        <source>Search a folder for the missing files</source>
        <translation>Einen Ordner nach den fehlenden Dateien durchsuchen</translation>
    </message>
    <message>
        <source>Search for cameras again</source>
        <translation>Noch einmal nach Kameras suchen</translation>
    </message>
    <message>
        <source>Search for heads in every camera's picture.</source>
        <translation>In jedem Kamerabild nach Köpfen suchen.</translation>
    </message>
    <message>
        <source>Search for heads only near the reference camera's foreground.</source>
        <translation>Köpfe nur nahe dem Vordergrund der Referenzkamera suchen.</translation>
    </message>
    <message>
        <source>Search for the board in the chosen cameras' own videos; a hand-held camera is removed</source>
        <translation>Die Tafel in den eigenen Videos der gewählten Kameras suchen; eine Handkamera wird entfernt</translation>
    </message>
    <message>
        <source>Search parameters</source>
        <translation>Parameter suchen</translation>
    </message>
    <message>
        <source>Search the guide</source>
        <translation>Im Handbuch suchen</translation>
    </message>
    <message>
        <source>searched</source>
        <translation>gesucht</translation>
    </message>
    <message>
        <source>Searching for bumped cameras</source>
        <translation>Suche nach angestoßenen Kameras</translation>
    </message>
    <message>
        <source>Searching …</source>
        <translation>Suche …</translation>
    </message>
    <message>
        <source>Seco&amp;nd</source>
        <translation>&amp;Zweiter</translation>
    </message>
    <message>
        <source>second</source>
        <translation>zweiter</translation>
    </message>
    <message>
        <source>Second parameter</source>
        <translation>Zweiter Parameter</translation>
    </message>
    <message>
        <source>Second tracker</source>
        <translation>Zweiter Tracker</translation>
    </message>
    <message>
        <source>Second values</source>
        <translation>Zweite Werte</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>Sekunden</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startzahl</translation>
    </message>
    <message>
        <source>seed </source>
        <translation>Startzahl </translation>
    </message>
    <message>
        <source>See&amp;n</source>
        <translation>Gesehe&amp;n</translation>
    </message>
    <message>
        <source>seen</source>
        <translation>gesehen</translation>
    </message>
    <message>
        <source>Seen by</source>
        <translation>Aus Sicht von</translation>
    </message>
    <message>
        <source>seen by ≥ %1</source>
        <translation>gesehen von ≥ %1</translation>
    </message>
    <message>
        <source>Seen fr&amp;om</source>
        <translation>&amp;Gesehen aus</translation>
    </message>
    <message>
        <source>Seen of %1</source>
        <translation>Gesehen: %1</translation>
    </message>
    <message>
        <source>Seen to be one: %1 at %2 and %3</source>
        <translation>Als eine gesehen: %1 bei %2 und %3</translation>
    </message>
    <message>
        <source>Seen to be two: %1 at %2, %3 at %4</source>
        <translation>Als zwei gesehen: %1 bei %2, %3 bei %4</translation>
    </message>
    <message>
        <source>Segment length</source>
        <translation>Segmentlänge</translation>
    </message>
    <message>
        <source>Selected pixel: costs by height</source>
        <translation>Gewähltes Pixel: Kosten nach Höhe</translation>
    </message>
    <message>
        <source>Selected pixel: its data cost, the messages from its neighbours, and their sum, whose minimum is chosen</source>
        <translation>Gewähltes Pixel: seine Datenkosten, die Nachrichten seiner Nachbarn und ihre Summe, deren Minimum gewählt wird</translation>
    </message>
    <message>
        <source>Send events and the health of live cameras to a broker, a web server or a program</source>
        <translation>Ereignisse und den Zustand der Live-Kameras an einen Broker, einen Webserver oder ein Programm senden</translation>
    </message>
    <message>
        <source>Send one test message with what is written here, and say what comes back</source>
        <translation>Eine Testnachricht mit dem hier Eingetragenen senden und angeben, was zurückkommt</translation>
    </message>
    <message>
        <source>Send &amp;Test</source>
        <translation>&amp;Testen</translation>
    </message>
    <message>
        <source>Sending to %1 …</source>
        <translation>Senden an %1 …</translation>
    </message>
    <message>
        <source>Sent; %1 (after %2 s).</source>
        <translation>Gesendet; %1 (nach %2 s).</translation>
    </message>
    <message>
        <source>Separate Files</source>
        <translation>Dateien trennen</translation>
    </message>
    <message>
        <source>Separation</source>
        <translation>Trennabstand</translation>
    </message>
    <message>
        <source>Separation across the floor</source>
        <translation>Abstand über dem Boden</translation>
    </message>
    <message>
        <source>Serve Results</source>
        <translation>Ergebnisse bereitstellen</translation>
    </message>
    <message>
        <source>Ser&amp;ve Results…</source>
        <translation>E&amp;rgebnisse bereitstellen…</translation>
    </message>
    <message>
        <source>Serve Results…</source>
        <translation>Ergebnisse bereitstellen…</translation>
    </message>
    <message>
        <source>Serve the cameras' p&amp;ictures and clips, too</source>
        <translation>Auch Kamerab&amp;ilder und Clips bereitstellen</translation>
    </message>
    <message>
        <source>Serve the cameras' pictures and clips, too</source>
        <translation>Auch Kamerabilder und Clips bereitstellen</translation>
    </message>
    <message>
        <source>&amp;Serve this project's results</source>
        <translation>Ergebnisse dieses Projekts &amp;bereitstellen</translation>
    </message>
    <message>
        <source>Serve this project's results</source>
        <translation>Ergebnisse dieses Projekts bereitstellen</translation>
    </message>
    <message>
        <source>Serving at %1</source>
        <translation>Bereitgestellt unter %1</translation>
    </message>
    <message>
        <source>&amp;Set</source>
        <translation>&amp;Setzen</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>Gesetzt</translation>
    </message>
    <message>
        <source>Set the box or the region by numbers</source>
        <translation>Quader oder Gebiet mit Zahlen einstellen</translation>
    </message>
    <message>
        <source>sets</source>
        <translation>Sätze</translation>
    </message>
    <message>
        <source>Settled share</source>
        <translation>Anteil ruhiger Pixel</translation>
    </message>
    <message>
        <source>Shaking cameras</source>
        <translation>Wackelnde Kameras</translation>
    </message>
    <message>
        <source>share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Share of a background pixel's new value that the model takes in each frame; 0 freezes it.</source>
        <translation>Anteil des neuen Werts eines Hintergrundpixels, den das Modell in jedem Bild aufnimmt; 0 friert es ein.</translation>
    </message>
    <message>
        <source>Share of a body's outline that must be foreground, mean over the cameras.</source>
        <translation>Anteil des Umrisses eines Körpers, der Vordergrund sein muss, Mittel über die Kameras.</translation>
    </message>
    <message>
        <source>Share of a body's outline that only this person explains, mean over the cameras, less 0.4 of what is background there; bodies below are ghosts.</source>
        <translation>Anteil des Umrisses eines Körpers, den nur diese Person erklärt, Mittel über die Kameras, minus 0,4 dessen, was dort Hintergrund ist; Körper darunter sind Geister.</translation>
    </message>
    <message>
        <source>Share of a foreground pixel's new value that the model takes in each frame, so that what stands still becomes background; 0: never.</source>
        <translation>Anteil des neuen Werts eines Vordergrundpixels, den das Modell in jedem Bild aufnimmt, sodass Stillstehendes zu Hintergrund wird; 0: nie.</translation>
    </message>
    <message>
        <source>Share of its confidence that a rejected peak keeps; it may bridge a gap.</source>
        <translation>Anteil seiner Konfidenz, den ein abgelehnter Gipfel behält; er kann eine Lücke überbrücken.</translation>
    </message>
    <message>
        <source>Share of its outline that must lie on edges for a head to count.</source>
        <translation>Anteil seines Umrisses, der auf Kanten liegen muss, damit ein Kopf zählt.</translation>
    </message>
    <message>
        <source>Share of the cameras seeing a place that must see foreground there; 1: all of them.</source>
        <translation>Anteil der Kameras mit Sicht auf einen Ort, die dort Vordergrund sehen müssen; 1: alle.</translation>
    </message>
    <message>
        <source>Share of the full change that probabilities make in an iteration.</source>
        <translation>Anteil der vollen Änderung, den Wahrscheinlichkeiten in einer Iteration machen.</translation>
    </message>
    <message>
        <source>Share of the light that a shadow leaves; lower accepts darker shadows, 1 accepts none.</source>
        <translation>Anteil des Lichts, den ein Schatten lässt; weniger lässt dunklere Schatten zu, 1 keine.</translation>
    </message>
    <message>
        <source>Share of the old message that is kept, against oscillation.</source>
        <translation>Anteil der alten Nachricht, der bleibt, gegen Schwingen.</translation>
    </message>
    <message>
        <source>Share of the silhouettes explained by the cameras together, before and after:</source>
        <translation>Anteil der Silhouetten, den die Kameras gemeinsam erklären, vorher und nachher:</translation>
    </message>
    <message>
        <source>Share of the total time of the same kind (stage, kernel, copy, wait) on the same device</source>
        <translation>Anteil an der Gesamtzeit derselben Art (Stufe, Kernel, Kopie, Warten) auf demselben Gerät</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>&amp;Shortcuts…</source>
        <translation>&amp;Tastenkürzel…</translation>
    </message>
    <message>
        <source>Shorter than</source>
        <translation>Kleiner als</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>%1 zeigen</translation>
    </message>
    <message>
        <source>Show %1 at its frame %2</source>
        <translation>%1 bei ihrem Bild %2 zeigen</translation>
    </message>
    <message>
        <source>Show a box to lay over a thing of known size, to check the calibration; its handles are dragged in any view</source>
        <translation>Einen Quader zeigen und über einen Gegenstand bekannter Größe legen, um die Kalibrierung zu prüfen; seine Griffe lassen sich in jeder Ansicht ziehen</translation>
    </message>
    <message>
        <source>Show a lane for each person, and repair identities</source>
        <translation>Für jede Person eine Zeile zeigen und Identitäten korrigieren</translation>
    </message>
    <message>
        <source>Show a person 1.75 m tall where the pointer is on the floor</source>
        <translation>Eine 1,75 m große Person zeigen, wo der Mauszeiger am Boden ist</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>Show all cameras</source>
        <translation>Alle Kameras zeigen</translation>
    </message>
    <message>
        <source>Show all of the recording's time</source>
        <translation>Die ganze Zeit der Aufzeichnung zeigen</translation>
    </message>
    <message>
        <source>Show and tune the height map of the current frame</source>
        <translation>Die Höhenkarte des aktuellen Bilds zeigen und abstimmen</translation>
    </message>
    <message>
        <source>Show both trackers in every view: the second dashed, differences in orange</source>
        <translation>Beide Tracker in jeder Ansicht zeigen: den zweiten gestrichelt, Unterschiede orange</translation>
    </message>
    <message>
        <source>Show cameras and clicked points, and solve, level or scale the calibration</source>
        <translation>Kameras und angeklickte Punkte zeigen und die Kalibrierung berechnen, horizontieren oder skalieren</translation>
    </message>
    <message>
        <source>Show cameras and scene side by side</source>
        <translation>Kameras und Szene nebeneinander zeigen</translation>
    </message>
    <message>
        <source>Show counts in zones and across lines, and how the floor was used</source>
        <translation>Zählungen in Zonen und über Linien zeigen und wie der Boden genutzt wurde</translation>
    </message>
    <message>
        <source>Show each picture twice: with the results A, and with B</source>
        <translation>Jedes Bild zweimal zeigen: mit den Ergebnissen A und mit B</translation>
    </message>
    <message>
        <source>Show half as much time around the playhead; in the timeline, the wheel</source>
        <translation>Halb so viel Zeit um den Abspielkopf zeigen; in der Zeitleiste das Mausrad</translation>
    </message>
    <message>
        <source>Show how every pixel moved since the previous frame</source>
        <translation>Zeigen, wie sich jedes Pixel seit dem vorigen Bild bewegte</translation>
    </message>
    <message>
        <source>Show how good the results are by the ground truth drawn here, with intervals: of all frames, over time, of each person and zone, by cameras, or the worst frames</source>
        <translation>Zeigen, wie gut die Ergebnisse nach der hier gezeichneten Referenz sind, mit Intervallen: aller Bilder, über der Zeit, je Person und Zone, nach Kameras, oder die schlechtesten Bilder</translation>
    </message>
    <message>
        <source>Show how long each stage takes</source>
        <translation>Zeigen, wie lange jede Stufe dauert</translation>
    </message>
    <message>
        <source>Show how many cameras see each part of the floor</source>
        <translation>Zeigen, wie viele Kameras jeden Teil des Bodens sehen</translation>
    </message>
    <message>
        <source>Show offsets and the frame's timings in the corners</source>
        <translation>Versatz und Zeiten des Bilds in den Ecken zeigen</translation>
    </message>
    <message>
        <source>Show on the floor where people passed, the total time they spent, how long each stayed, or how fast they walked</source>
        <translation>Am Boden zeigen, wo Personen gingen, wie lange insgesamt, wie lange jede blieb oder wie schnell sie ging</translation>
    </message>
    <message>
        <source>Show only the cameras</source>
        <translation>Nur die Kameras zeigen</translation>
    </message>
    <message>
        <source>Show only the current timings</source>
        <translation>Nur die jetzigen Zeiten zeigen</translation>
    </message>
    <message>
        <source>Show only the scene</source>
        <translation>Nur die Szene zeigen</translation>
    </message>
    <message>
        <source>Show picture, offset, angle of view and position of every camera, and rename cameras</source>
        <translation>Bild, Versatz, Bildwinkel und Standort jeder Kamera zeigen und Kameras umbenennen</translation>
    </message>
    <message>
        <source>Show plots of figures of the results, linked with the timeline</source>
        <translation>Diagramme von Kennzahlen der Ergebnisse zeigen, mit der Zeitleiste gekoppelt</translation>
    </message>
    <message>
        <source>S&amp;how Swept Value</source>
        <translation>Wert &amp;zeigen</translation>
    </message>
    <message>
        <source>Show the board to the cameras and hold it still.</source>
        <translation>Den Kameras die Tafel zeigen und ruhig halten.</translation>
    </message>
    <message>
        <source>Show the box (B) and lay it over the thing first.</source>
        <translation>Zuerst den Quader zeigen (B) und über den Gegenstand legen.</translation>
    </message>
    <message>
        <source>Show the box (B) first.</source>
        <translation>Zuerst den Quader zeigen (B).</translation>
    </message>
    <message>
        <source>Show the box (B) or edit the region first.</source>
        <translation>Zuerst den Quader zeigen (B) oder das Gebiet bearbeiten.</translation>
    </message>
    <message>
        <source>Show the camera as it is calibrated</source>
        <translation>Die Kamera zeigen, wie sie kalibriert ist</translation>
    </message>
    <message>
        <source>Show the carved volume in the scene</source>
        <translation>Das geschnitzte Volumen in der Szene zeigen</translation>
    </message>
    <message>
        <source>Show the confidence on a slice through the volume</source>
        <translation>Die Konfidenz auf einem Schnitt durch das Volumen zeigen</translation>
    </message>
    <message>
        <source>Show the docks for cameras: calibration, checks, offsets</source>
        <translation>Die Docks für Kameras zeigen: Kalibrierung, Prüfungen, Versatz</translation>
    </message>
    <message>
        <source>Show the docks for live cameras: health, events, zones and lines</source>
        <translation>Die Docks für Live-Kameras zeigen: Zustand, Ereignisse, Zonen und Linien</translation>
    </message>
    <message>
        <source>Show the docks for results: events, people, and questions to them</source>
        <translation>Die Docks für Ergebnisse zeigen: Ereignisse, Personen und Fragen an sie</translation>
    </message>
    <message>
        <source>Show the docks for tuning: parameters, variants, and why</source>
        <translation>Die Docks zum Abstimmen zeigen: Parameter, Varianten und Warum</translation>
    </message>
    <message>
        <source>Show the docks of this layout where they first were, and no others</source>
        <translation>Die Docks dieser Anordnung an ihren ersten Plätzen zeigen und keine anderen</translation>
    </message>
    <message>
        <source>Show the expected error of positions on the floor: the standard deviation, in centimetres, if all cameras that see a position triangulate it, at 1 px of noise and with the deviations of poses that were solved since the project was opened</source>
        <translation>Den erwarteten Ortsfehler am Boden zeigen: die Standardabweichung in Zentimetern, wenn alle Kameras, die einen Ort sehen, ihn triangulieren, bei 1 px Rauschen und mit den Abweichungen der Lagen, die seit dem Öffnen des Projekts berechnet wurden</translation>
    </message>
    <message>
        <source>Show the expert parameters too</source>
        <translation>Auch die Parameter für Fachleute zeigen</translation>
    </message>
    <message>
        <source>Show the heads found in each picture</source>
        <translation>Die in jedem Bild gefundenen Köpfe zeigen</translation>
    </message>
    <message>
        <source>Show the height map over its camera's picture, coloured by the height of heads</source>
        <translation>Die Höhenkarte über dem Bild ihrer Kamera zeigen, gefärbt nach der Höhe der Köpfe</translation>
    </message>
    <message>
        <source>Show the joints of people, connected by limbs</source>
        <translation>Die Gelenke der Personen zeigen, durch Glieder verbunden</translation>
    </message>
    <message>
        <source>Show the lanes of people in this frame first if not all lanes fit</source>
        <translation>Die Zeilen der Personen in diesem Bild zuerst zeigen, wenn nicht alle passen</translation>
    </message>
    <message>
        <source>Show the log</source>
        <translation>Das Protokoll zeigen</translation>
    </message>
    <message>
        <source>Show the next message</source>
        <translation>Die nächste Meldung zeigen</translation>
    </message>
    <message>
        <source>Show the occupied volume above each cell of the floor</source>
        <translation>Das belegte Volumen über jeder Zelle des Bodens zeigen</translation>
    </message>
    <message>
        <source>Show the optical flow (W) first.</source>
        <translation>Zuerst den optischen Fluss zeigen (W).</translation>
    </message>
    <message>
        <source>Show the page that is served</source>
        <translation>Die bereitgestellte Seite zeigen</translation>
    </message>
    <message>
        <source>Show the parameters</source>
        <translation>Die Parameter zeigen</translation>
    </message>
    <message>
        <source>Show the parts of the cameras' pictures that do not count, hatched</source>
        <translation>Die Teile der Kamerabilder, die nicht zählen, schraffiert zeigen</translation>
    </message>
    <message>
        <source>Show the people detected in each picture, with their scores</source>
        <translation>Die in jedem Bild detektierten Personen mit ihren Werten zeigen</translation>
    </message>
    <message>
        <source>Show the people who were drawn by hand, and measure the results by them</source>
        <translation>Die von Hand gezeichneten Personen zeigen und die Ergebnisse daran messen</translation>
    </message>
    <message>
        <source>Show the region of the floor that is analysed</source>
        <translation>Das ausgewertete Gebiet des Bodens zeigen</translation>
    </message>
    <message>
        <source>Show the Report</source>
        <translation>Bericht zeigen</translation>
    </message>
    <message>
        <source>Show the residuals of corners or clicks after the last calibration that was solved, in pixels: as arrows over each camera's picture, and picture by picture</source>
        <translation>Die Residuen der Ecken oder Klicks nach der zuletzt berechneten Kalibrierung zeigen, in Pixeln: als Pfeile über dem Bild jeder Kamera und Aufnahme für Aufnahme</translation>
    </message>
    <message>
        <source>Show the results A and B at once: what differs in colour, the rest in grey</source>
        <translation>Die Ergebnisse A und B zugleich zeigen: Unterschiede farbig, der Rest grau</translation>
    </message>
    <message>
        <source>Show the results A and B in turn, 0.6 s each</source>
        <translation>Die Ergebnisse A und B abwechselnd zeigen, je 0,6 s</translation>
    </message>
    <message>
        <source>Show the results A left of a divider that can be dragged, and B right of it</source>
        <translation>Links einer ziehbaren Teilung die Ergebnisse A zeigen, rechts B</translation>
    </message>
    <message>
        <source>Show the slice plane (U) first.</source>
        <translation>Zuerst die Schnittebene zeigen (U).</translation>
    </message>
    <message>
        <source>Show the state of live cameras</source>
        <translation>Den Zustand der Live-Kameras zeigen</translation>
    </message>
    <message>
        <source>Show the time after the part that is shown</source>
        <translation>Die Zeit nach dem gezeigten Teil zeigen</translation>
    </message>
    <message>
        <source>Show the time before the part that is shown</source>
        <translation>Die Zeit vor dem gezeigten Teil zeigen</translation>
    </message>
    <message>
        <source>Show the variants of the parameters</source>
        <translation>Die Varianten der Parameter zeigen</translation>
    </message>
    <message>
        <source>Show the whole scene again</source>
        <translation>Wieder die ganze Szene zeigen</translation>
    </message>
    <message>
        <source>Show the zones and lines drawn on the floor</source>
        <translation>Die auf den Boden gezeichneten Zonen und Linien zeigen</translation>
    </message>
    <message>
        <source>Show this camera alone</source>
        <translation>Nur diese Kamera zeigen</translation>
    </message>
    <message>
        <source>Show twice as much time</source>
        <translation>Doppelt so viel Zeit zeigen</translation>
    </message>
    <message>
        <source>Show what differs from the empty scene (hold X for bare footage)</source>
        <translation>Zeigen, was von der leeren Szene abweicht (X halten für bloßes Material)</translation>
    </message>
    <message>
        <source>Show what the cameras see now</source>
        <translation>Zeigen, was die Kameras jetzt sehen</translation>
    </message>
    <message>
        <source>Show what the checks found</source>
        <translation>Zeigen, was die Prüfungen ergaben</translation>
    </message>
    <message>
        <source>Show what the rules over zones and lines found</source>
        <translation>Zeigen, was die Regeln über Zonen und Linien gefunden haben</translation>
    </message>
    <message>
        <source>Show when each camera started, and set it by hand</source>
        <translation>Zeigen, wann jede Kamera begann, und es von Hand einstellen</translation>
    </message>
    <message>
        <source>Show where people are, with their IDs</source>
        <translation>Zeigen, wo Personen sind, mit ihren IDs</translation>
    </message>
    <message>
        <source>Show where people walked in the last seconds</source>
        <translation>Zeigen, wo Personen in den letzten Sekunden gingen</translation>
    </message>
    <message>
        <source>Show who is found with the chosen value (B, dashed) compared with who is found now (A), in every view</source>
        <translation>Zeigen, wer mit dem gewählten Wert gefunden wird (B, gestrichelt), verglichen mit jetzt (A), in jeder Ansicht</translation>
    </message>
    <message>
        <source>Show why a person is found, or a pixel is in the mask</source>
        <translation>Zeigen, warum eine Person gefunden wird oder ein Pixel in der Maske ist</translation>
    </message>
    <message>
        <source>Shows the figures that have all these words</source>
        <translation>Zeigt die Kennzahlen, die alle diese Wörter enthalten</translation>
    </message>
    <message>
        <source>Side by Side</source>
        <translation>Parallel</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>Side of a cell of the floor.</source>
        <translation>Seite einer Zelle des Bodens.</translation>
    </message>
    <message>
        <source>Side of a cell, with the method grid.</source>
        <translation>Seite einer Zelle, mit der Methode grid.</translation>
    </message>
    <message>
        <source>Side of a marker or tag with its black border, millimetres</source>
        <translation>Seitenlänge eines Markers oder einer Marke mit schwarzem Rand, Millimeter</translation>
    </message>
    <message>
        <source>Side of a square, millimetres</source>
        <translation>Seitenlänge eines Felds, Millimeter</translation>
    </message>
    <message>
        <source>Side of the square that a standing person fills.</source>
        <translation>Seite des Quadrats, das eine stehende Person füllt.</translation>
    </message>
    <message>
        <source>Side of the window in which the motion counts as one: larger is smoother. An even number acts as the next odd one.</source>
        <translation>Seite des Fensters, in dem die Bewegung als eine gilt: größer ist glatter. Eine gerade Zahl wirkt wie die nächste ungerade.</translation>
    </message>
    <message>
        <source>&amp;Sideways</source>
        <translation>&amp;Seitwärts</translation>
    </message>
    <message>
        <source>Sideways B&amp;ack</source>
        <translation>Seitwärts &amp;zurück</translation>
    </message>
    <message>
        <source>Sideways Back, 1 cm</source>
        <translation>Seitwärts zurück, 1 cm</translation>
    </message>
    <message>
        <source>Sideways, 1 cm</source>
        <translation>Seitwärts, 1 cm</translation>
    </message>
    <message>
        <source>Sigma</source>
        <translation>Sigma</translation>
    </message>
    <message>
        <source>sigma</source>
        <translation>sigma</translation>
    </message>
    <message>
        <source>Sign the recordings that have no seal, as they are now; nothing of them is changed</source>
        <translation>Aufzeichnungen ohne Siegel signieren, wie sie jetzt sind; nichts an ihnen wird geändert</translation>
    </message>
    <message>
        <source>Sign the recordings, compare them with their seals, and show who did what with the project</source>
        <translation>Die Aufzeichnungen signieren, mit ihren Siegeln vergleichen und zeigen, wer was mit dem Projekt getan hat</translation>
    </message>
    <message>
        <source>Signed by %1</source>
        <translation>Signiert von %1</translation>
    </message>
    <message>
        <source>Signing ke&amp;y</source>
        <translation>Si&amp;gnierschlüssel</translation>
    </message>
    <message>
        <source>silent %1 s</source>
        <translation>%1 s still</translation>
    </message>
    <message>
        <source>Silhouettes</source>
        <translation>Silhouetten</translation>
    </message>
    <message>
        <source>Size (m)</source>
        <translation>Größe (m)</translation>
    </message>
    <message>
        <source>Size and length</source>
        <translation>Größe und Länge</translation>
    </message>
    <message>
        <source>Size gate</source>
        <translation>Größentor</translation>
    </message>
    <message>
        <source>Size of a level relative to the next finer one.</source>
        <translation>Größe einer Stufe gegenüber der nächstfeineren.</translation>
    </message>
    <message>
        <source>Size of a voxel, metres</source>
        <translation>Größe eines Voxels, Meter</translation>
    </message>
    <message>
        <source>size unknown</source>
        <translation>Größe unbekannt</translation>
    </message>
    <message>
        <source>Size, frame rate and pixel format that the camera offers</source>
        <translation>Größe, Bildrate und Pixelformat, die die Kamera anbietet</translation>
    </message>
    <message>
        <source>size, length, rate</source>
        <translation>Größe, Länge, Rate</translation>
    </message>
    <message>
        <source>S&amp;keletons</source>
        <translation>S&amp;kelette</translation>
    </message>
    <message>
        <source>Skeletons</source>
        <translation>Skelette</translation>
    </message>
    <message>
        <source>Skeletons are switched off in this project.</source>
        <translation>Skelette sind in diesem Projekt ausgeschaltet.</translation>
    </message>
    <message>
        <source>Skeletons need a calibration and detections with joints.</source>
        <translation>Skelette brauchen eine Kalibrierung und Detektionen mit Gelenken.</translation>
    </message>
    <message>
        <source>Slice horizontally, then across x, then across y</source>
        <translation>Waagrecht schneiden, dann quer zu x, dann quer zu y</translation>
    </message>
    <message>
        <source>Sl&amp;ice Plane</source>
        <translation>S&amp;chnittebene</translation>
    </message>
    <message>
        <source>Slice &amp;plane</source>
        <translation>S&amp;chnittebene</translation>
    </message>
    <message>
        <source>Slice plane</source>
        <translation>Schnittebene</translation>
    </message>
    <message>
        <source>Slice position</source>
        <translation>Lage des Schnitts</translation>
    </message>
    <message>
        <source>slow</source>
        <translation>langsam</translation>
    </message>
    <message>
        <source>&amp;Smaller</source>
        <translation>&amp;Kleiner</translation>
    </message>
    <message>
        <source>Smaller things are not joined.</source>
        <translation>Kleinere Dinge werden nicht verbunden.</translation>
    </message>
    <message>
        <source>Smallest distance between the axes of two people.</source>
        <translation>Kleinster Abstand zwischen den Achsen zweier Personen.</translation>
    </message>
    <message>
        <source>Smallest head</source>
        <translation>Kleinster Kopf</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>Glättung</translation>
    </message>
    <message>
        <source>Smoothness</source>
        <translation>Glattheit</translation>
    </message>
    <message>
        <source>Solve</source>
        <translation>Berechnen</translation>
    </message>
    <message>
        <source>Solve again with the pictures that were used before (Ctrl+Z)</source>
        <translation>Mit den zuvor verwendeten Aufnahmen neu berechnen (Strg+Z)</translation>
    </message>
    <message>
        <source>Solve again without the chosen pictures, all boards in them; or with those left out (Del)</source>
        <translation>Ohne die gewählten Aufnahmen neu berechnen, alle Tafeln darin; oder mit den ausgelassenen (Entf)</translation>
    </message>
    <message>
        <source>Solve cameras from a board (Alt+Shift+B) or from points (Ctrl+K) first.</source>
        <translation>Zuerst Kameras durch eine Tafel (Alt+Umschalt+B) oder durch Punkte (Strg+K) berechnen.</translation>
    </message>
    <message>
        <source>Solve each camera's focal length and k1 by people, too; all cameras ticked. Otherwise lenses are fixed, and judged by what people show</source>
        <translation>Auch Brennweite und k1 jeder Kamera durch Personen berechnen; alle Kameras angehakt. Sonst bleiben Objektive fest und werden danach beurteilt, was Personen zeigen</translation>
    </message>
    <message>
        <source>Solve focal lengths by points</source>
        <translation>Brennweiten durch Punkte berechnen</translation>
    </message>
    <message>
        <source>Solve From &amp;Board</source>
        <translation>Durch &amp;Tafel berechnen</translation>
    </message>
    <message>
        <source>Solve From F&amp;ootage</source>
        <translation>Aus &amp;Aufnahmen bestimmen</translation>
    </message>
    <message>
        <source>Solve From Footage</source>
        <translation>Aus Aufnahmen bestimmen</translation>
    </message>
    <message>
        <source>Solve From Peop&amp;le</source>
        <translation>Durch P&amp;ersonen berechnen</translation>
    </message>
    <message>
        <source>Solve From People</source>
        <translation>Durch Personen berechnen</translation>
    </message>
    <message>
        <source>&amp;Solve From Points</source>
        <translation>Durch &amp;Punkte berechnen</translation>
    </message>
    <message>
        <source>Solve lenses and poses of all cameras by a board, or several, that are shown to them; Esc stops</source>
        <translation>Objektive und Lagen aller Kameras durch eine oder mehrere gezeigte Tafeln berechnen; Esc bricht ab</translation>
    </message>
    <message>
        <source>Solve lenses by people</source>
        <translation>Objektive durch Personen berechnen</translation>
    </message>
    <message>
        <source>Solve lenses, poses and offsets of all cameras from the people who walk in the marked range, whatever calibration there is; it is proposed first; Esc stops</source>
        <translation>Linsen, Lagen und Versätze aller Kameras nach den Personen bestimmen, die im markierten Bereich gehen, welche Kalibrierung es auch gibt; zuerst als Vorschlag; Esc beendet</translation>
    </message>
    <message>
        <source>Solve one in the Calibrate dock: from a board or, if the project detects people, from them.</source>
        <translation>Im Bereich Kalibrieren eine bestimmen: nach einer Tafel oder, wenn das Projekt Personen erkennt, nach ihnen.</translation>
    </message>
    <message>
        <source>Solve the focal length of the ticked cameras, too (five points or more)</source>
        <translation>Auch die Brennweite der angehakten Kameras berechnen (ab fünf Punkten)</translation>
    </message>
    <message>
        <source>Solve the height map of this frame again</source>
        <translation>Die Höhenkarte dieses Bilds noch einmal berechnen</translation>
    </message>
    <message>
        <source>Solved by %1 boards in %2 frames.
The world is board %3 in frame %4; the region is fitted again.</source>
        <translation>Durch %1 Tafeln in %2 Bildern berechnet.
Das Weltsystem ist Tafel %3 in Bild %4; das Gebiet wird neu angepasst.</translation>
    </message>
    <message>
        <source>Solved by the board in %1 frames.
The world is the board in frame %2; the region is fitted again.</source>
        <translation>Durch die Tafel in %1 Bildern berechnet.
Das Weltsystem ist die Tafel in Bild %2; das Gebiet wird neu angepasst.</translation>
    </message>
    <message>
        <source>Solved from footage: %1</source>
        <translation>Aus Aufnahmen bestimmt: %1</translation>
    </message>
    <message>
        <source>solved, %1</source>
        <translation>berechnen, %1</translation>
    </message>
    <message>
        <source>solved, as it is now</source>
        <translation>berechnen, wie jetzt</translation>
    </message>
    <message>
        <source>Solving by a board</source>
        <translation>Berechnung durch Tafel</translation>
    </message>
    <message>
        <source>Solving cameras from footage</source>
        <translation>Kameras werden aus Aufnahmen bestimmt</translation>
    </message>
    <message>
        <source>someone</source>
        <translation>jemand</translation>
    </message>
    <message>
        <source>Something is missing.</source>
        <translation>Etwas fehlt.</translation>
    </message>
    <message>
        <source>&amp;Sound</source>
        <translation>&amp;Ton</translation>
    </message>
    <message>
        <source>S&amp;ound</source>
        <translation>T&amp;on</translation>
    </message>
    <message>
        <source>sound</source>
        <translation>Ton</translation>
    </message>
    <message>
        <source>Sound for a new event of live cameras: the built-in one, or a WAV file</source>
        <translation>Ton für ein neues Ereignis der Live-Kameras: der eingebaute oder eine WAV-Datei</translation>
    </message>
    <message>
        <source>Soun&amp;d of alarms</source>
        <translation>&amp;Alarmton</translation>
    </message>
    <message>
        <source>Sound of Alarms</source>
        <translation>Alarmton</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Space pauses. Point at the floor to see that position in every camera. F6 opens the parameters.</source>
        <translation>Die Leertaste hält an. Auf den Boden zeigen, um den Ort in jeder Kamera zu sehen. F6 öffnet die Parameter.</translation>
    </message>
    <message>
        <source>Space plays and pauses, , and . step one frame, Home and End go to the first and last frame. 1 to 9 show one camera, 0 shows all.</source>
        <translation>Die Leertaste spielt ab und hält an, , und . gehen ein Bild weiter, Pos1 und Ende zum ersten und letzten Bild. 1 bis 9 zeigen eine Kamera, 0 zeigt alle.</translation>
    </message>
    <message>
        <source>Space, or a click on the box, chooses a figure; in a scatter plot the first lies along x</source>
        <translation>Leertaste oder ein Klick auf das Kästchen wählt eine Kennzahl; im Streudiagramm liegt die erste auf x</translation>
    </message>
    <message>
        <source>Span</source>
        <translation>Spanne</translation>
    </message>
    <message>
        <source>&amp;Spans as CSV…</source>
        <translation>&amp;Abschnitte als CSV…</translation>
    </message>
    <message>
        <source>Spans written to %1.</source>
        <translation>Abschnitte nach %1 geschrieben.</translation>
    </message>
    <message>
        <source>speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>&amp;Split</source>
        <translation>&amp;Teilen</translation>
    </message>
    <message>
        <source>Split: %1 from %2 on</source>
        <translation>Teilen: %1 ab %2</translation>
    </message>
    <message>
        <source>S&amp;quare</source>
        <translation>&amp;Feld</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Standard deviation of a height.</source>
        <translation>Standardabweichung einer Höhe.</translation>
    </message>
    <message>
        <source>Standard deviation of a mean colour, of 255, where colours were measured.</source>
        <translation>Standardabweichung einer mittleren Farbe, von 255, wo Farben gemessen wurden.</translation>
    </message>
    <message>
        <source>Standard deviation of a position on the floor.</source>
        <translation>Standardabweichung eines Orts am Boden.</translation>
    </message>
    <message>
        <source>Standard deviation of a position, with the method motion.</source>
        <translation>Standardabweichung eines Orts, mit der Methode motion.</translation>
    </message>
    <message>
        <source>Standard deviation of a velocity, where motion was measured (flow.enabled).</source>
        <translation>Standardabweichung einer Geschwindigkeit, wo Bewegung gemessen wurde (flow.enabled).</translation>
    </message>
    <message>
        <source>Standard deviation of the acceleration, with the method motion.</source>
        <translation>Standardabweichung der Beschleunigung, mit der Methode motion.</translation>
    </message>
    <message>
        <source>Standard deviation of the heights of one person, with the method motion.</source>
        <translation>Standardabweichung der Größen einer Person, mit der Methode motion.</translation>
    </message>
    <message>
        <source>Standard deviation of the speed.</source>
        <translation>Standardabweichung der Geschwindigkeit.</translation>
    </message>
    <message>
        <source>Standard deviation: of clicks by one pixel, and of cameras that were solved in this session</source>
        <translation>Standardabweichung: aus Klicks auf ein Pixel genau und aus Kameras, die in dieser Sitzung berechnet wurden</translation>
    </message>
    <message>
        <source>&amp;Standing Figure</source>
        <translation>&amp;Stehende Figur</translation>
    </message>
    <message>
        <source>Stands</source>
        <translation>Lage</translation>
    </message>
    <message>
        <source>Stands at (m)</source>
        <translation>Standort (m)</translation>
    </message>
    <message>
        <source>stands at x %1, y %2, z %3 m</source>
        <translation>steht bei x %1, y %2, z %3 m</translation>
    </message>
    <message>
        <source>Stands still: %1.</source>
        <translation>Steht still: %1.</translation>
    </message>
    <message>
        <source>Start from last</source>
        <translation>Vom vorigen beginnen</translation>
    </message>
    <message>
        <source>Start page</source>
        <translation>Startseite</translation>
    </message>
    <message>
        <source>Start the range at this frame</source>
        <translation>Den Bereich bei diesem Bild beginnen</translation>
    </message>
    <message>
        <source>started %1 frames (%2 s) after %3</source>
        <translation>begann %1 Bilder (%2 s) nach %3</translation>
    </message>
    <message>
        <source>started %1 frames (%2 s) before %3</source>
        <translation>begann %1 Bilder (%2 s) vor %3</translation>
    </message>
    <message>
        <source>started with %1</source>
        <translation>begann mit %1</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>State of the custody log</source>
        <translation>Zustand des Verwahrungsprotokolls</translation>
    </message>
    <message>
        <source>State of the height map</source>
        <translation>Stand der Höhenkarte</translation>
    </message>
    <message>
        <source>stay</source>
        <translation>bleiben</translation>
    </message>
    <message>
        <source>stays longer than</source>
        <translation>bleibt länger als</translation>
    </message>
    <message>
        <source>stays longer than %1 s</source>
        <translation>bleibt länger als %1 s</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schrittweite</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Stopp</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Stop or continue the height map</source>
        <translation>Die Höhenkarte anhalten oder fortsetzen</translation>
    </message>
    <message>
        <source>&amp;Stop Serving</source>
        <translation>Bereitstellung &amp;beenden</translation>
    </message>
    <message>
        <source>Stop serving; clients are disconnected</source>
        <translation>Die Bereitstellung beenden; Clients werden getrennt</translation>
    </message>
    <message>
        <source>Stop solving the height map and keep what is shown</source>
        <translation>Die Berechnung der Höhenkarte anhalten und das Gezeigte behalten</translation>
    </message>
    <message>
        <source>Stop &amp;Test</source>
        <translation>&amp;Test abbrechen</translation>
    </message>
    <message>
        <source>Stop the analysis (results so far are kept), following a person, or drawing</source>
        <translation>Die Analyse stoppen (bisherige Ergebnisse bleiben), das Folgen einer Person oder das Zeichnen beenden</translation>
    </message>
    <message>
        <source>Stop when fewer than this share of the pixels changed between two checks; 0: never.</source>
        <translation>Anhalten, wenn sich weniger als dieser Anteil der Pixel zwischen zwei Prüfungen änderte; 0: nie.</translation>
    </message>
    <message>
        <source>Stop, %1 %, %2 left</source>
        <translation>Stopp, %1 %, noch %2</translation>
    </message>
    <message>
        <source>Stop, %1 sets written</source>
        <translation>Stopp, %1 Bildsätze</translation>
    </message>
    <message>
        <source>Stop, checking</source>
        <translation>Stopp, prüft</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>gestoppt</translation>
    </message>
    <message>
        <source>Stopped after %1 of %2 values.</source>
        <translation>Nach %1 von %2 Werten gestoppt.</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Hält an…</translation>
    </message>
    <message>
        <source>Streams of the network's cameras, by ONVIF</source>
        <translation>Datenströme der Kameras im Netz, über ONVIF</translation>
    </message>
    <message>
        <source>Stride</source>
        <translation>Schrittweite</translation>
    </message>
    <message>
        <source>Summary of the checks</source>
        <translation>Zusammenfassung der Prüfungen</translation>
    </message>
    <message>
        <source>Summary of the events</source>
        <translation>Zusammenfassung der Ereignisse</translation>
    </message>
    <message>
        <source>Summary of the synchronisation</source>
        <translation>Zusammenfassung der Synchronisation</translation>
    </message>
    <message>
        <source>Summary of the tracks</source>
        <translation>Zusammenfassung der Spuren</translation>
    </message>
    <message>
        <source>Surface</source>
        <translation>Oberfläche</translation>
    </message>
    <message>
        <source>Surface of a head that must be seen.</source>
        <translation>Oberfläche eines Kopfs, die zu sehen sein muss.</translation>
    </message>
    <message>
        <source>S&amp;wap</source>
        <translation>&amp;Tauschen</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>Tauschen</translation>
    </message>
    <message>
        <source>Swap A and B</source>
        <translation>A und B tauschen</translation>
    </message>
    <message>
        <source>S&amp;wap With</source>
        <translation>&amp;Tauschen mit</translation>
    </message>
    <message>
        <source>Swap: %1 and %2 exchange IDs from %3 on</source>
        <translation>Tauschen: %1 und %2 tauschen IDs ab %3</translation>
    </message>
    <message>
        <source>swapped?</source>
        <translation>vertauscht?</translation>
    </message>
    <message>
        <source>S&amp;weep</source>
        <translation>Wertere&amp;ihe</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Wertereihe</translation>
    </message>
    <message>
        <source>Sweeping</source>
        <translation>Wertereihe läuft</translation>
    </message>
    <message>
        <source>Switch On</source>
        <translation>Einschalten</translation>
    </message>
    <message>
        <source>S&amp;ynchronisation</source>
        <translation>S&amp;ynchronisation</translation>
    </message>
    <message>
        <source>Synchronisation</source>
        <translation>Synchronisation</translation>
    </message>
    <message>
        <source>&amp;Table as CSV…</source>
        <translation>&amp;Tabelle als CSV…</translation>
    </message>
    <message>
        <source>tags</source>
        <translation>Marken</translation>
    </message>
    <message>
        <source>Take a picture whenever a board that is shown to the live cameras is held still and shows them something new; Esc ends</source>
        <translation>Ein Bild aufnehmen, sobald eine den Live-Kameras gezeigte Tafel ruhig gehalten wird und etwas Neues zeigt; Esc beendet</translation>
    </message>
    <message>
        <source>Ta&amp;ke Intersection</source>
        <translation>Schnitt&amp;menge</translation>
    </message>
    <message>
        <source>Take Out</source>
        <translation>Herausnehmen</translation>
    </message>
    <message>
        <source>Take the chosen board's size and kind from a caliscope session's charuco.toml or a Kalibr target.yaml</source>
        <translation>Größe und Art der gewählten Tafel aus der charuco.toml einer caliscope-Sitzung oder einer target.yaml von Kalibr übernehmen</translation>
    </message>
    <message>
        <source>Take &amp;Theirs</source>
        <translation>&amp;Fremde übernehmen</translation>
    </message>
    <message>
        <source>Take &amp;Union</source>
        <translation>&amp;Vereinigung</translation>
    </message>
    <message>
        <source>Takes effect at the next start; --backend on the command line overrides it</source>
        <translation>Wirkt beim nächsten Start; --backend auf der Befehlszeile hat Vorrang</translation>
    </message>
    <message>
        <source>Taller than</source>
        <translation>Größer als</translation>
    </message>
    <message>
        <source>Targets</source>
        <translation>Ziele</translation>
    </message>
    <message>
        <source>&amp;Test</source>
        <translation>&amp;Testen</translation>
    </message>
    <message>
        <source>T&amp;est</source>
        <translation>T&amp;esten</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Testen</translation>
    </message>
    <message>
        <source>test</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>Test Here</source>
        <translation>Hier prüfen</translation>
    </message>
    <message>
        <source>Test on Marked Ran&amp;ge</source>
        <translation>Auf markiertem Bereich &amp;prüfen</translation>
    </message>
    <message>
        <source>Test span</source>
        <translation>Prüfspanne</translation>
    </message>
    <message>
        <source>test span</source>
        <translation>Prüfspanne</translation>
    </message>
    <message>
        <source>Test the sound of alarms</source>
        <translation>Den Alarmton testen</translation>
    </message>
    <message>
        <source>Text files (*.txt)</source>
        <translation>Textdateien (*.txt)</translation>
    </message>
    <message>
        <source>the %1 frames of %2 become no one's</source>
        <translation>die %1 Bilder von %2 gehören niemandem mehr</translation>
    </message>
    <message>
        <source>The alarm sound cannot be read: %1. Choose another one in the preferences.</source>
        <translation>Der Alarmton ist nicht lesbar: %1. In den Einstellungen einen anderen wählen.</translation>
    </message>
    <message>
        <source>The alarm sound cannot be written to %1: alarms are silent.</source>
        <translation>Der Alarmton kann nicht nach %1 geschrieben werden: Alarme sind stumm.</translation>
    </message>
    <message>
        <source>The analysis is slower than the cameras: %1. %2</source>
        <translation>Die Analyse ist langsamer als die Kameras: %1. %2</translation>
    </message>
    <message>
        <source>The analysis is stopping.</source>
        <translation>Die Analyse hält an.</translation>
    </message>
    <message>
        <source>The answer comes when the analysis ends.</source>
        <translation>Die Antwort kommt, wenn die Analyse endet.</translation>
    </message>
    <message>
        <source>The aspect ratio differs: most likely another camera.</source>
        <translation>Das Seitenverhältnis weicht ab: wohl eine andere Kamera.</translation>
    </message>
    <message>
        <source>The audio output does not play: alarms are silent.</source>
        <translation>Die Tonausgabe spielt nicht: Alarme sind stumm.</translation>
    </message>
    <message>
        <source>The baseline's mean, ms</source>
        <translation>Mittel des Vergleichsstands, ms</translation>
    </message>
    <message>
        <source>the beginning</source>
        <translation>Beginn</translation>
    </message>
    <message>
        <source>The best value is tested on the range between I and O</source>
        <translation>Der beste Wert wird auf dem Bereich zwischen I und O geprüft</translation>
    </message>
    <message>
        <source>The board is in %1: print it on %2 at 100 %, and measure the ruler.</source>
        <translation>Die Tafel ist in %1: auf %2 mit 100 % drucken und das Lineal nachmessen.</translation>
    </message>
    <message>
        <source>The board is searched for in the camera's video, by its offset</source>
        <translation>Die Tafel wird im Video der Kamera gesucht, mit deren Versatz</translation>
    </message>
    <message>
        <source>The board whose corners are shown and counted; all of them</source>
        <translation>Die Tafel, deren Ecken gezeigt und gezählt werden; alle</translation>
    </message>
    <message>
        <source>The calibration is mirrored</source>
        <translation>Die Kalibrierung ist gespiegelt</translation>
    </message>
    <message>
        <source>The calibration of the camera it replaces is kept</source>
        <translation>Die Kalibrierung der ersetzten Kamera bleibt</translation>
    </message>
    <message>
        <source>The camera for whose calibration other values are tried</source>
        <translation>Die Kamera, für deren Kalibrierung andere Werte ausprobiert werden</translation>
    </message>
    <message>
        <source>The camera of the calibration that took this video</source>
        <translation>Die Kamera der Kalibrierung, die dieses Video aufnahm</translation>
    </message>
    <message>
        <source>the camera or its network stalls</source>
        <translation>die Kamera oder ihr Netz stockt</translation>
    </message>
    <message>
        <source>the camera that sees the most floor</source>
        <translation>die mit dem meisten Boden</translation>
    </message>
    <message>
        <source>The camera whose pixels get a height; the others are compared with it</source>
        <translation>Die Kamera, deren Pixel eine Höhe bekommen; die anderen werden mit ihr verglichen</translation>
    </message>
    <message>
        <source>The camera whose residuals are shown, with their root mean square in pixels</source>
        <translation>Die Kamera, deren Residuen gezeigt werden, mit deren quadratischem Mittel in Pixeln</translation>
    </message>
    <message>
        <source>the camera's default</source>
        <translation>Vorgabe der Kamera</translation>
    </message>
    <message>
        <source>the camera, its network or this overloaded machine stalls</source>
        <translation>die Kamera, ihr Netzwerk oder dieser überlastete Rechner stockt</translation>
    </message>
    <message>
        <source>The cameras are being recorded.</source>
        <translation>Die Kameras werden aufgezeichnet.</translation>
    </message>
    <message>
        <source>The cameras are not calibrated.</source>
        <translation>Die Kameras sind nicht kalibriert.</translation>
    </message>
    <message>
        <source>The cameras are not live: the board is searched for in their videos.</source>
        <translation>Die Kameras sind nicht live: Die Tafel wird in ihren Videos gesucht.</translation>
    </message>
    <message>
        <source>the cameras do not agree on any position</source>
        <translation>die Kameras stimmen an keiner Position überein</translation>
    </message>
    <message>
        <source>The cameras from above, with their heights in metres. Shaded: what each sees of the floor; framed: the region that they see together.
</source>
        <translation>Die Kameras von oben, mit ihrer Höhe in Metern. Getönt: was jede vom Boden sieht; umrahmt: das Gebiet, das sie gemeinsam sehen.
</translation>
    </message>
    <message>
        <source>The cameras together explain %1 % of its silhouettes now, %2 % as proposed.</source>
        <translation>Die Kameras gemeinsam erklären jetzt %1 % ihrer Silhouetten, wie vorgeschlagen %2 %.</translation>
    </message>
    <message>
        <source>The cameras' sound as it was recorded; voices are not changed</source>
        <translation>Der Ton der Kameras, wie aufgenommen; Stimmen werden nicht verändert</translation>
    </message>
    <message>
        <source>The check before the analysis failed: %1.</source>
        <translation>Die Prüfung vor der Analyse ist gescheitert: %1.</translation>
    </message>
    <message>
        <source>The check before the analysis was cancelled.</source>
        <translation>Die Prüfung vor der Analyse wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The chosen arrow</source>
        <translation>Der gewählte Pfeil</translation>
    </message>
    <message>
        <source>The chosen person is not there any more after this frame, until set again</source>
        <translation>Die gewählte Person ist nach diesem Bild nicht mehr da, bis sie wieder gesetzt wird</translation>
    </message>
    <message>
        <source>The chosen person is not there in this frame.</source>
        <translation>Die gewählte Person ist in diesem Bild nicht da.</translation>
    </message>
    <message>
        <source>The chosen point's coordinates as measured, x y z in metres; empty: not known</source>
        <translation>Die gemessenen Koordinaten des gewählten Punkts, x y z in Metern; leer: unbekannt</translation>
    </message>
    <message>
        <source>The chosen points, three or more, become the floor</source>
        <translation>Die gewählten Punkte, mindestens drei, werden der Boden</translation>
    </message>
    <message>
        <source>The chosen shape's corners in metres: x y; x y; …</source>
        <translation>Die Ecken der gewählten Form in Metern: x y; x y; …</translation>
    </message>
    <message>
        <source>the CPU</source>
        <translation>der CPU</translation>
    </message>
    <message>
        <source>The demonstration is being made.</source>
        <translation>Die Demonstration wird erstellt.</translation>
    </message>
    <message>
        <source>The demonstration is ready.</source>
        <translation>Die Demonstration ist bereit.</translation>
    </message>
    <message>
        <source>The dictionary of the ChArUco board's markers or of the tags</source>
        <translation>Das Wörterbuch der Marker der ChArUco-Tafel oder der Marken</translation>
    </message>
    <message>
        <source>the end</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>The expected error needs a calibration.</source>
        <translation>Der erwartete Fehler braucht eine Kalibrierung.</translation>
    </message>
    <message>
        <source>The file's axis that points up</source>
        <translation>Die Achse der Datei, die nach oben zeigt</translation>
    </message>
    <message>
        <source>The file's world is left-handed, or its cameras stand as in a mirror: y is negated</source>
        <translation>Die Welt der Datei ist linkshändig, oder ihre Kameras stehen wie im Spiegel: y wird negiert</translation>
    </message>
    <message>
        <source>The first %1 of %2 are listed; Next Difference goes through all.</source>
        <translation>Die ersten %1 von %2 sind aufgeführt; „Nächster Unterschied“ geht durch alle.</translation>
    </message>
    <message>
        <source>The first %1 of %2 spans of frames, the longest first.</source>
        <translation>Die ersten %1 von %2 Bildspannen, die längsten zuerst.</translation>
    </message>
    <message>
        <source>The first frame that was set by hand</source>
        <translation>Das erste von Hand gesetzte Bild</translation>
    </message>
    <message>
        <source>The first frame: a time as the window shows it, or a frame</source>
        <translation>Das erste Bild: eine Zeit, wie sie das Fenster zeigt, oder ein Bild</translation>
    </message>
    <message>
        <source>The folder to be made; it is not there yet, or empty</source>
        <translation>Der anzulegende Ordner; es gibt ihn noch nicht, oder er ist leer</translation>
    </message>
    <message>
        <source>The frame of this camera simultaneous with frame 0 of the first</source>
        <translation>Das Bild dieser Kamera zugleich mit Bild 0 der ersten</translation>
    </message>
    <message>
        <source>The frame offsets are solved with the board, which has to move, quickly and without rhythm, where two cameras see it at once; all pictures are examined. Rolling shutters are measured, too</source>
        <translation>Der Versatz in Bildern wird mit der Tafel berechnet; sie muss sich zügig und ohne Takt bewegen, wo zwei Kameras sie zugleich sehen. Alle Bilder werden ausgewertet. Rolling Shutter werden mitgemessen</translation>
    </message>
    <message>
        <source>the GPU</source>
        <translation>der GPU</translation>
    </message>
    <message>
        <source>the GPU where there is one</source>
        <translation>der GPU, wo es eine gibt</translation>
    </message>
    <message>
        <source>The language changes at the next start: something is running or being made in this window.</source>
        <translation>Die Sprache wechselt beim nächsten Start: In diesem Fenster läuft oder entsteht gerade etwas.</translation>
    </message>
    <message>
        <source>The last 10 s of work, milliseconds.</source>
        <translation>Die letzten 10 s Arbeit, Millisekunden.</translation>
    </message>
    <message>
        <source>The last 4 s of everybody's path, drawn into the videos</source>
        <translation>Der Weg aller in den letzten 4 s, in die Videos gezeichnet</translation>
    </message>
    <message>
        <source>The last frame before it</source>
        <translation>Das letzte Bild davor</translation>
    </message>
    <message>
        <source>The last frame that was set by hand</source>
        <translation>Das letzte von Hand gesetzte Bild</translation>
    </message>
    <message>
        <source>The last frame: a time as the window shows it, or a frame</source>
        <translation>Das letzte Bild: eine Zeit, wie sie das Fenster zeigt, oder ein Bild</translation>
    </message>
    <message>
        <source>The last one that the film shows, likewise</source>
        <translation>Das letzte, das der Film zeigt, ebenso</translation>
    </message>
    <message>
        <source>The line's signals with the offsets found</source>
        <translation>Die Signale der Linie mit dem gefundenen Versatz</translation>
    </message>
    <message>
        <source>The line's signals with the project's offsets</source>
        <translation>Die Signale der Linie mit dem Versatz des Projekts</translation>
    </message>
    <message>
        <source>The longest first. A click goes there.</source>
        <translation>Die längsten zuerst. Ein Klick führt hin.</translation>
    </message>
    <message>
        <source>The lowest ID of the board's markers or of the grid's tags</source>
        <translation>Die kleinste ID der Marker der Tafel oder der Marken des Rasters</translation>
    </message>
    <message>
        <source>The map over the picture</source>
        <translation>Die Karte über dem Bild</translation>
    </message>
    <message>
        <source>The mean of all pictures is used, which averages out noise</source>
        <translation>Das Mittel aller Aufnahmen wird verwendet; das mittelt Rauschen heraus</translation>
    </message>
    <message>
        <source>The middle of its lower face, metres</source>
        <translation>Die Mitte seiner Unterseite, Meter</translation>
    </message>
    <message>
        <source>The model that finds people; empty: none</source>
        <translation>Das Modell, das Personen findet; leer: keines</translation>
    </message>
    <message>
        <source>The newest picture of each camera during a run or with live cameras, and clips of a span. They show people; numbers and masks do not</source>
        <translation>Das neueste Bild jeder Kamera während eines Laufs oder mit Live-Kameras und Clips einer Spanne. Sie zeigen Personen; Zahlen und Masken nicht</translation>
    </message>
    <message>
        <source>The next click sets a person who was not drawn yet</source>
        <translation>Der nächste Klick setzt eine noch nicht gezeichnete Person</translation>
    </message>
    <message>
        <source>The object in the box is %1 × %2 × %3 m.</source>
        <translation>Der Gegenstand im Quader misst %1 × %2 × %3 m.</translation>
    </message>
    <message>
        <source>The oldest of the past is dropped beyond this size, all cameras together, also where less than the minutes above is left.</source>
        <translation>Das Älteste der Vergangenheit wird über dieser Größe verworfen, alle Kameras zusammen, auch wo weniger als die Minuten oben bleibt.</translation>
    </message>
    <message>
        <source>The oldest parts of the recording are removed beyond this size, all cameras together; 0 keeps all.</source>
        <translation>Die ältesten Teile der Aufzeichnung werden über dieser Größe entfernt, alle Kameras zusammen; 0 behält alles.</translation>
    </message>
    <message>
        <source>the other's %1 was %2 before frame %3</source>
        <translation>%1 des anderen war %2 vor Bild %3</translation>
    </message>
    <message>
        <source>The page before</source>
        <translation>Die vorige Seite</translation>
    </message>
    <message>
        <source>The page before (Alt+Left)</source>
        <translation>Die vorige Seite (Alt+Links)</translation>
    </message>
    <message>
        <source>The page: .pdf to print, .html to read in a browser</source>
        <translation>Das Blatt: .pdf zum Drucken, .html zum Lesen im Browser</translation>
    </message>
    <message>
        <source>The pair of cameras whose likelihood and lines are shown</source>
        <translation>Das Kamerapaar, dessen Wahrscheinlichkeit und Linien gezeigt werden</translation>
    </message>
    <message>
        <source>The parameter that takes the values; all others stay as they are</source>
        <translation>Der Parameter, der die Werte annimmt; alle anderen bleiben</translation>
    </message>
    <message>
        <source>The people of this tracker appear here after Compare (Ctrl+F4).</source>
        <translation>Die Personen dieses Trackers erscheinen hier nach „Vergleichen“ (Strg+F4).</translation>
    </message>
    <message>
        <source>The person is not in this frame.</source>
        <translation>Die Person ist nicht in diesem Bild.</translation>
    </message>
    <message>
        <source>The person is not there in this frame.</source>
        <translation>Die Person ist in diesem Bild nicht da.</translation>
    </message>
    <message>
        <source>The pixel of the calibrated picture that is the video's top-left one</source>
        <translation>Das Pixel des kalibrierten Bilds, das im Video links oben liegt</translation>
    </message>
    <message>
        <source>The place under the region that moves most</source>
        <translation>Die Stelle unter dem Gebiet, die sich am meisten verschiebt</translation>
    </message>
    <message>
        <source>The plot has no curves yet.</source>
        <translation>Das Diagramm hat noch keine Kurven.</translation>
    </message>
    <message>
        <source>The point that becomes the floor's origin when the world is levelled</source>
        <translation>Der Punkt, der beim Horizontieren zum Ursprung des Bodens wird</translation>
    </message>
    <message>
        <source>The point that the x axis runs towards when the world is levelled</source>
        <translation>Der Punkt, auf den die x-Achse beim Horizontieren zuläuft</translation>
    </message>
    <message>
        <source>The port number; 0 takes a free one</source>
        <translation>Die Portnummer; 0 nimmt einen freien</translation>
    </message>
    <message>
        <source>The prefix under which Home Assistant finds rules and cameras by itself, as a rule homeassistant; empty: it does not</source>
        <translation>Das Präfix, unter dem Home Assistant Regeln und Kameras selbst findet, meist homeassistant; leer: findet nicht</translation>
    </message>
    <message>
        <source>The probability that the tracks are wrong there, in percent</source>
        <translation>Die Wahrscheinlichkeit in Prozent, dass die Spuren dort falsch sind</translation>
    </message>
    <message>
        <source>the project</source>
        <translation>das Projekt</translation>
    </message>
    <message>
        <source>The project has no box yet: add one, or move the one that B shows.</source>
        <translation>Das Projekt hat noch keinen Quader: einen hinzufügen oder den verschieben, den B zeigt.</translation>
    </message>
    <message>
        <source>The project has no videos.</source>
        <translation>Das Projekt hat keine Videos.</translation>
    </message>
    <message>
        <source>The project has unsaved changes.</source>
        <translation>Das Projekt hat ungespeicherte Änderungen.</translation>
    </message>
    <message>
        <source>The project is open elsewhere.</source>
        <translation>Das Projekt ist anderswo geöffnet.</translation>
    </message>
    <message>
        <source>The project names neither a model nor files of detections.</source>
        <translation>Das Projekt nennt weder ein Modell noch Dateien mit Detektionen.</translation>
    </message>
    <message>
        <source>The project takes the chosen value, of two parameters both values; can be undone</source>
        <translation>Das Projekt übernimmt den gewählten Wert, bei zwei Parametern beide Werte; lässt sich rückgängig machen</translation>
    </message>
    <message>
        <source>The proposal</source>
        <translation>Der Vorschlag</translation>
    </message>
    <message>
        <source>The proposal changes a camera in the middle of the recording.</source>
        <translation>Der Vorschlag ändert eine Kamera mitten in der Aufzeichnung.</translation>
    </message>
    <message>
        <source>The proposal moves the world: positions are other ones then.</source>
        <translation>Der Vorschlag verschiebt die Welt: Orte sind dann andere.</translation>
    </message>
    <message>
        <source>The recording began at %1.</source>
        <translation>Die Aufzeichnung begann um %1.</translation>
    </message>
    <message>
        <source>The recording goes on, broke off (crash, loss of power), or was cut off with its seal. Up to its last sealed group it is untouched.</source>
        <translation>Die Aufzeichnung läuft noch, brach ab (Absturz, Stromausfall) oder wurde mit ihrem Siegel abgeschnitten. Bis zu ihrer letzten versiegelten Gruppe ist sie unverändert.</translation>
    </message>
    <message>
        <source>The recording is from %1 to %2.</source>
        <translation>Die Aufzeichnung reicht von %1 bis %2.</translation>
    </message>
    <message>
        <source>The recording stops when less is free on its disk; the analysis continues.</source>
        <translation>Die Aufzeichnung hält an, wenn auf ihrer Platte weniger frei ist; die Analyse läuft weiter.</translation>
    </message>
    <message>
        <source>the reference for the others</source>
        <translation>die Bezugskamera der anderen</translation>
    </message>
    <message>
        <source>The region is being fitted to the cameras.</source>
        <translation>Das Gebiet wird an die Kameras angepasst.</translation>
    </message>
    <message>
        <source>The results are not served: %1</source>
        <translation>Die Ergebnisse werden nicht bereitgestellt: %1</translation>
    </message>
    <message>
        <source>The results can be read at this address: open it, copy it, stop</source>
        <translation>Die Ergebnisse sind unter dieser Adresse zu lesen: öffnen, kopieren, beenden</translation>
    </message>
    <message>
        <source>The results of %1 of %2 frames were made with other settings. They are replaced; those of other frames stay as they are.</source>
        <translation>Die Ergebnisse von %1 von %2 Bildern entstanden mit anderen Einstellungen. Sie werden ersetzt; die der übrigen Bilder bleiben.</translation>
    </message>
    <message>
        <source>The rule would not have fired</source>
        <translation>Die Regel hätte nicht ausgelöst</translation>
    </message>
    <message>
        <source>The rule's name, which its events have</source>
        <translation>Der Name der Regel, den ihre Ereignisse tragen</translation>
    </message>
    <message>
        <source>The same instant now and as proposed</source>
        <translation>Derselbe Augenblick jetzt und wie vorgeschlagen</translation>
    </message>
    <message>
        <source>The same over a span of frames, as a video; by default the range between I and O</source>
        <translation>Dasselbe über eine Spanne von Bildern, als Video; zunächst der Bereich zwischen I und O</translation>
    </message>
    <message>
        <source>The same seed gives the same points</source>
        <translation>Dieselbe Startzahl ergibt dieselben Punkte</translation>
    </message>
    <message>
        <source>The same while a camera delivers no pictures, if that is longer.</source>
        <translation>Dasselbe, während eine Kamera keine Bilder liefert, wenn das länger ist.</translation>
    </message>
    <message>
        <source>the same?</source>
        <translation>dieselbe?</translation>
    </message>
    <message>
        <source>the seal has no end</source>
        <translation>das Siegel hat kein Ende</translation>
    </message>
    <message>
        <source>The selected span</source>
        <translation>Der gewählte Abschnitt</translation>
    </message>
    <message>
        <source>The silhouettes cannot be compared.</source>
        <translation>Die Silhouetten sind nicht vergleichbar.</translation>
    </message>
    <message>
        <source>The sound plays.</source>
        <translation>Der Ton spielt.</translation>
    </message>
    <message>
        <source>The span holds no frame.</source>
        <translation>Die Spanne enthält kein Bild.</translation>
    </message>
    <message>
        <source>The span holds no picture of the recording.</source>
        <translation>Die Spanne enthält kein Bild der Aufzeichnung.</translation>
    </message>
    <message>
        <source>The sweep counted nothing wrong with this value.</source>
        <translation>Die Wertereihe zählte mit diesem Wert nichts Falsches.</translation>
    </message>
    <message>
        <source>The table as shown</source>
        <translation>Die Tabelle wie gezeigt</translation>
    </message>
    <message>
        <source>The test was stopped.</source>
        <translation>Der Test wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The two tokens are the same. Choose another one to mark with.</source>
        <translation>Die zwei Tokens sind gleich. Für Vermerke ein anderes wählen.</translation>
    </message>
    <message>
        <source>The values themselves, with commas between: numbers in the parameter's unit, names of choices, true or false</source>
        <translation>Die Werte selbst, mit Kommas dazwischen: Zahlen mit Dezimalpunkt in der Einheit des Parameters, Namen von Auswahlen, true oder false; mit Strichpunkten dazwischen gelten Dezimalkommas</translation>
    </message>
    <message>
        <source>The view of %1 is right</source>
        <translation>Die Sicht von %1 ist richtig</translation>
    </message>
    <message>
        <source>The whole picture, or its blue or red, may become this much brighter or darker at once; 1 follows no change.</source>
        <translation>Das ganze Bild, oder sein Blau oder Rot, darf auf einmal um so viel heller oder dunkler werden; 1 folgt keiner Änderung.</translation>
    </message>
    <message>
        <source>The window is back to its default layout for now.</source>
        <translation>Das Fenster hat vorerst wieder seine Standardanordnung.</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farben</translation>
    </message>
    <message>
        <source>Theme, memory and other settings of the program, not of a project</source>
        <translation>Farben, Sprache, Speicher und anderes, das dem Programm gilt, nicht einem Projekt</translation>
    </message>
    <message>
        <source>There are no bookmarks.</source>
        <translation>Es gibt keine Lesezeichen.</translation>
    </message>
    <message>
        <source>There are no live cameras.</source>
        <translation>Es gibt keine Live-Kameras.</translation>
    </message>
    <message>
        <source>There are no pictures to paint on.</source>
        <translation>Es gibt keine Bilder zum Bemalen.</translation>
    </message>
    <message>
        <source>There are no results yet: analyse first.</source>
        <translation>Es gibt noch keine Ergebnisse: zuerst analysieren.</translation>
    </message>
    <message>
        <source>There are no tracks yet: analyse first.</source>
        <translation>Es gibt noch keine Spuren: zuerst analysieren.</translation>
    </message>
    <message>
        <source>There are no variants: keep one first (Ctrl+F6)</source>
        <translation>Es gibt keine Varianten: zuerst eine behalten (Strg+F6)</translation>
    </message>
    <message>
        <source>There are results of these cameras already. They are replaced.</source>
        <translation>Von diesen Kameras gibt es schon Ergebnisse. Sie werden ersetzt.</translation>
    </message>
    <message>
        <source>There is another box named %1.</source>
        <translation>Es gibt schon einen Quader namens %1.</translation>
    </message>
    <message>
        <source>There is another point named %1.</source>
        <translation>Es gibt schon einen Punkt namens %1.</translation>
    </message>
    <message>
        <source>There is no custody log yet: it begins with the first seal, comparison or case.</source>
        <translation>Es gibt noch kein Verwahrungsprotokoll: Es beginnt mit dem ersten Siegel, Vergleich oder Fall.</translation>
    </message>
    <message>
        <source>There is no difference of this kind.</source>
        <translation>Es gibt keinen Unterschied dieser Art.</translation>
    </message>
    <message>
        <source>There is no file %1.</source>
        <translation>Es gibt keine Datei %1.</translation>
    </message>
    <message>
        <source>There is no floor at this point of the picture.</source>
        <translation>An diesem Punkt des Bilds ist kein Boden.</translation>
    </message>
    <message>
        <source>There is no frame yet.</source>
        <translation>Es gibt noch kein Bild.</translation>
    </message>
    <message>
        <source>There is no further screen.</source>
        <translation>Es gibt keinen weiteren Bildschirm.</translation>
    </message>
    <message>
        <source>There is no new event.</source>
        <translation>Es gibt kein neues Ereignis.</translation>
    </message>
    <message>
        <source>There is no other box.</source>
        <translation>Es gibt keinen anderen Quader.</translation>
    </message>
    <message>
        <source>There is no picture at this point.</source>
        <translation>An diesem Punkt ist kein Bild.</translation>
    </message>
    <message>
        <source>There is one board alone.</source>
        <translation>Es gibt nur eine Tafel.</translation>
    </message>
    <message>
        <source>There is only one camera: nothing to synchronise with.</source>
        <translation>Es gibt nur eine Kamera: nichts zum Synchronisieren.</translation>
    </message>
    <message>
        <source>These are more than %1 pairs of values.</source>
        <translation>Das sind mehr als %1 Wertepaare.</translation>
    </message>
    <message>
        <source>These are not one camera's: each file becomes a camera of its own</source>
        <translation>Diese stammen nicht von einer Kamera: Jede Datei wird eine eigene</translation>
    </message>
    <message>
        <source>These cameras are proposed; nothing has changed yet.</source>
        <translation>Diese Kameras sind ein Vorschlag; noch ist nichts geändert.</translation>
    </message>
    <message>
        <source>These results have no %1 (times of stages and kernels come when an analysis has ended).</source>
        <translation>Diese Ergebnisse enthalten %1 nicht (Zeiten von Stufen und Kernels kommen, wenn eine Analyse beendet ist).</translation>
    </message>
    <message>
        <source>They differ in %1 of %2 person-frames, with %3 ID switches.</source>
        <translation>Sie unterscheiden sich in %1 von %2 Personenbildern, mit %3 ID-Wechseln.</translation>
    </message>
    <message>
        <source>They wait %1 ms more for cameras with a longer delay.</source>
        <translation>Sie warten %1 ms länger auf Kameras mit größerer Verzögerung.</translation>
    </message>
    <message>
        <source>They were not delivered, and will not be. It cannot be undone.</source>
        <translation>Sie wurden nicht zugestellt und werden es nicht. Das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>This camera has seen enough.</source>
        <translation>Diese Kamera hat genug gesehen.</translation>
    </message>
    <message>
        <source>This is the past of the cameras, which continue: End shows what they see now</source>
        <translation>Das ist die Vergangenheit der Kameras, die weiterlaufen: Ende zeigt, was sie jetzt sehen</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>This machine has no audio output: alarms are silent.</source>
        <translation>Dieser Rechner hat keine Tonausgabe: Alarme sind stumm.</translation>
    </message>
    <message>
        <source>this machine is overloaded</source>
        <translation>dieser Rechner ist überlastet</translation>
    </message>
    <message>
        <source>This machine is overloaded: its processors are %1 % busy, %2. %3</source>
        <translation>Dieser Rechner ist überlastet: seine Prozessoren sind zu %1 % ausgelastet, %2. %3</translation>
    </message>
    <message>
        <source>this machine's</source>
        <translation>die dieses Rechners</translation>
    </message>
    <message>
        <source>This part of the picture counts again</source>
        <translation>Dieser Teil des Bildes zählt wieder</translation>
    </message>
    <message>
        <source>This project has no pictures, only detections.</source>
        <translation>Dieses Projekt hat keine Bilder, nur Erkennungen.</translation>
    </message>
    <message>
        <source>This repair does not apply: %1.</source>
        <translation>Diese Korrektur ist nicht anwendbar: %1.</translation>
    </message>
    <message>
        <source>This sound cannot be played: %1. Choose a WAV file in the preferences.</source>
        <translation>Dieser Ton ist nicht abspielbar: %1. In den Einstellungen eine WAV-Datei wählen.</translation>
    </message>
    <message>
        <source>This View Is Right</source>
        <translation>Diese Sicht ist richtig</translation>
    </message>
    <message>
        <source>This View Is Ri&amp;ght…</source>
        <translation>Diese Si&amp;cht ist richtig…</translation>
    </message>
    <message>
        <source>This zone has no area.</source>
        <translation>Diese Zone hat keine Fläche.</translation>
    </message>
    <message>
        <source>Those &amp;Here First</source>
        <translation>&amp;Anwesende zuerst</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>Tick cameras that have another pose from a later frame on.</source>
        <translation>Kameras anhaken, die ab einem späteren Bild eine andere Lage haben.</translation>
    </message>
    <message>
        <source>Tick the cameras to solve first.</source>
        <translation>Zuerst die zu berechnenden Kameras anhaken.</translation>
    </message>
    <message>
        <source>Ticked: its pose is solved; the others are fixed</source>
        <translation>Angehakt: Ihre Lage wird berechnet; die anderen bleiben fest</translation>
    </message>
    <message>
        <source>Tilt</source>
        <translation>Neigen</translation>
    </message>
    <message>
        <source>Ti&amp;me</source>
        <translation>&amp;Zeit</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Time (UTC)</source>
        <translation>Zeit (UTC)</translation>
    </message>
    <message>
        <source>Time after the end of an event at which its recording ends.</source>
        <translation>Zeit nach dem Ende eines Ereignisses, mit der seine Aufzeichnung endet.</translation>
    </message>
    <message>
        <source>Time after the last change; the backup is offered if the program closes unexpectedly</source>
        <translation>Zeit nach der letzten Änderung; die Sicherung wird angeboten, wenn das Programm unerwartet endet</translation>
    </message>
    <message>
        <source>Time before Record is pressed, or before the event, at which a recording begins.</source>
        <translation>Zeit vor dem Drücken von „Aufzeichnen“, oder vor dem Ereignis, mit der eine Aufzeichnung beginnt.</translation>
    </message>
    <message>
        <source>Time from the start: the time of day is not known (Ctrl+Shift+G sets it)</source>
        <translation>Zeit ab Beginn: Die Uhrzeit ist unbekannt (Strg+Umschalt+G stellt sie ein)</translation>
    </message>
    <message>
        <source>Time of Day</source>
        <translation>Uhrzeit</translation>
    </message>
    <message>
        <source>Time of day by the %1</source>
        <translation>Uhrzeit nach: %1</translation>
    </message>
    <message>
        <source>Time of day of frame 0, as in 2026-05-01T14:00:00; empty: as the recording states</source>
        <translation>Uhrzeit von Bild 0, etwa 2026-05-01T14:00:00; leer: wie die Aufzeichnung angibt</translation>
    </message>
    <message>
        <source>&amp;Time of Day…</source>
        <translation>&amp;Uhrzeit…</translation>
    </message>
    <message>
        <source>Time of such detections while a camera delivers no pictures, if that is longer.</source>
        <translation>Dauer solcher Detektionen, während eine Kamera keine Bilder liefert, wenn das länger ist.</translation>
    </message>
    <message>
        <source>Time over which positions and speeds are averaged; longer follows turns more slowly.</source>
        <translation>Zeit, über die Orte und Geschwindigkeiten gemittelt werden; länger folgt Wendungen langsamer.</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Timeline of the timings</source>
        <translation>Zeitleiste der Zeitmessung</translation>
    </message>
    <message>
        <source>Times the score that a head in one view needs: what several views must reach together for one of which none is sure.</source>
        <translation>Das Vielfache des Werts, den ein Kopf in einer Ansicht braucht: was mehrere Ansichten zusammen für einen erreichen müssen, dessen keine sicher ist.</translation>
    </message>
    <message>
        <source>Times the score that the model demands of a head: higher finds less and errs less.</source>
        <translation>Das Vielfache des Werts, den das Modell von einem Kopf verlangt: höher findet weniger und irrt weniger.</translation>
    </message>
    <message>
        <source>Times the score that the model demands of a window: from there on it counts where other views suggest the same head.</source>
        <translation>Das Vielfache des Werts, den das Modell von einem Fenster verlangt: Ab da zählt es, wo andere Ansichten auf denselben Kopf deuten.</translation>
    </message>
    <message>
        <source>&amp;Timings</source>
        <translation>&amp;Zeitmessung</translation>
    </message>
    <message>
        <source>Timings</source>
        <translation>Zeitmessung</translation>
    </message>
    <message>
        <source>Timings (*.json)</source>
        <translation>Zeiten (*.json)</translation>
    </message>
    <message>
        <source>Timings of the last 10 seconds, in milliseconds</source>
        <translation>Zeiten der letzten 10 Sekunden, in Millisekunden</translation>
    </message>
    <message>
        <source>Timings written to %1.</source>
        <translation>Zeiten nach %1 geschrieben.</translation>
    </message>
    <message>
        <source>&amp;To</source>
        <translation>&amp;Bis</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>To %1</source>
        <translation>Zu %1</translation>
    </message>
    <message>
        <source>To find the camera that sees a person best, calibrate the cameras first.</source>
        <translation>Um die Kamera zu finden, die eine Person am besten sieht, zuerst die Kameras kalibrieren.</translation>
    </message>
    <message>
        <source>To lies before From.</source>
        <translation>„Bis“ liegt vor „Von“.</translation>
    </message>
    <message>
        <source>to the left</source>
        <translation>nach links</translation>
    </message>
    <message>
        <source>to the right</source>
        <translation>nach rechts</translation>
    </message>
    <message>
        <source>together %1 ms</source>
        <translation>zusammen %1 ms</translation>
    </message>
    <message>
        <source>&amp;Token</source>
        <translation>&amp;Token</translation>
    </message>
    <message>
        <source>Token to &amp;mark</source>
        <translation>Token für &amp;Vermerke</translation>
    </message>
    <message>
        <source>Tolera&amp;nce</source>
        <translation>&amp;Toleranz</translation>
    </message>
    <message>
        <source>To&amp;pic</source>
        <translation>The&amp;ma</translation>
    </message>
    <message>
        <source>touched: %1</source>
        <translation>verändert: %1</translation>
    </message>
    <message>
        <source>Trace written to %1.</source>
        <translation>Trace nach %1 geschrieben.</translation>
    </message>
    <message>
        <source>Traces (*.json)</source>
        <translation>Traces (*.json)</translation>
    </message>
    <message>
        <source>Track the people of the results again, with both trackers</source>
        <translation>Die Personen der Ergebnisse noch einmal verfolgen, mit beiden Trackern</translation>
    </message>
    <message>
        <source>Tracker</source>
        <translation>Tracker</translation>
    </message>
    <message>
        <source>Tracker for the people of the results</source>
        <translation>Tracker für die Personen der Ergebnisse</translation>
    </message>
    <message>
        <source>&amp;Trackers</source>
        <translation>&amp;Tracker</translation>
    </message>
    <message>
        <source>Trackers</source>
        <translation>Tracker</translation>
    </message>
    <message>
        <source>Tracking everybody with both …</source>
        <translation>Alle werden mit beiden verfolgt …</translation>
    </message>
    <message>
        <source>Tracks</source>
        <translation>Spuren</translation>
    </message>
    <message>
        <source>Tracks Are Ri&amp;ght Here</source>
        <translation>Spuren hier ri&amp;chtig</translation>
    </message>
    <message>
        <source>Tracks Are Wrong &amp;Here</source>
        <translation>Spuren &amp;hier falsch</translation>
    </message>
    <message>
        <source>Tracks on the floor (*.csv *.txt);;Projects (*.vantage);;All files (*)</source>
        <translation>Spuren am Boden (*.csv *.txt);;Projekte (*.vantage);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Tracks on the floor (*.csv);;All files (*)</source>
        <translation>Spuren am Boden (*.csv);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>&amp;Trails</source>
        <translation>&amp;Schweife</translation>
    </message>
    <message>
        <source>Trai&amp;ls</source>
        <translation>Sch&amp;weife</translation>
    </message>
    <message>
        <source>trails</source>
        <translation>Wege</translation>
    </message>
    <message>
        <source>Trend</source>
        <translation>Trend</translation>
    </message>
    <message>
        <source>triangulated, ± %1 mm</source>
        <translation>trianguliert, ± %1 mm</translation>
    </message>
    <message>
        <source>Tried</source>
        <translation>Erprobt</translation>
    </message>
    <message>
        <source>Tried on the analysed frames: press a rule's count to see the times. OK arms the rules.</source>
        <translation>An den analysierten Bildern erprobt: die Zahl einer Regel drücken, um die Zeiten zu sehen. OK schärft die Regeln.</translation>
    </message>
    <message>
        <source>Tried on the kept past of the cameras: press a rule's count to see the times. OK arms the rules.</source>
        <translation>An der gespeicherten Vergangenheit der Kameras erprobt: die Zahl einer Regel drücken, um die Zeiten zu sehen. OK schärft die Regeln.</translation>
    </message>
    <message>
        <source>Tried: %1</source>
        <translation>Erprobt: %1</translation>
    </message>
    <message>
        <source>true %1</source>
        <translation>wahr %1</translation>
    </message>
    <message>
        <source>True &amp;Masks</source>
        <translation>&amp;Masken</translation>
    </message>
    <message>
        <source>True people</source>
        <translation>Referenzpersonen</translation>
    </message>
    <message>
        <source>true person %1 in frame %2</source>
        <translation>Referenzperson %1 in Bild %2</translation>
    </message>
    <message>
        <source>true person %1 was %2 before frame %3</source>
        <translation>Referenzperson %1 war %2 vor Bild %3</translation>
    </message>
    <message>
        <source>True Person Lea&amp;ves</source>
        <translation>Referenzperson &amp;geht</translation>
    </message>
    <message>
        <source>Try other values of the ticked camera's calibration, one by one, in all views</source>
        <translation>Andere Werte der Kalibrierung der angehakten Kamera einzeln ausprobieren, in allen Ansichten</translation>
    </message>
    <message>
        <source>Try values of a parameter and measure each, on a tuning span and a test span</source>
        <translation>Werte eines Parameters ausprobieren und jeden messen, auf einer Abstimm- und einer Prüfspanne</translation>
    </message>
    <message>
        <source>&amp;Tune</source>
        <translation>&amp;Abstimmen</translation>
    </message>
    <message>
        <source>Tune</source>
        <translation>Abstimmen</translation>
    </message>
    <message>
        <source>Tune Here</source>
        <translation>Abstimmen</translation>
    </message>
    <message>
        <source>Tune on Mar&amp;ked Range</source>
        <translation>Auf mar&amp;kiertem Bereich abstimmen</translation>
    </message>
    <message>
        <source>tuning</source>
        <translation>Abstimmung</translation>
    </message>
    <message>
        <source>Tuning span</source>
        <translation>Abstimmspanne</translation>
    </message>
    <message>
        <source>tuning span</source>
        <translation>Abstimmspanne</translation>
    </message>
    <message>
        <source>Turn</source>
        <translation>Drehung</translation>
    </message>
    <message>
        <source>turn</source>
        <translation>Drehung</translation>
    </message>
    <message>
        <source>&amp;Turn Left</source>
        <translation>&amp;Linksdrehung</translation>
    </message>
    <message>
        <source>Turn Left, 1°</source>
        <translation>Linksdrehung, 1°</translation>
    </message>
    <message>
        <source>Turn &amp;Right</source>
        <translation>Re&amp;chtsdrehung</translation>
    </message>
    <message>
        <source>Turn Right, 1°</source>
        <translation>Rechtsdrehung, 1°</translation>
    </message>
    <message>
        <source>Turn Sli&amp;ce</source>
        <translation>Schnitt &amp;drehen</translation>
    </message>
    <message>
        <source>Turn the box by 0.1° clockwise</source>
        <translation>Den Quader um 0,1° im Uhrzeigersinn drehen</translation>
    </message>
    <message>
        <source>Turn the box by 0.1° counter-clockwise</source>
        <translation>Den Quader um 0,1° gegen den Uhrzeigersinn drehen</translation>
    </message>
    <message>
        <source>Turn the box by 1° clockwise</source>
        <translation>Den Quader um 1° im Uhrzeigersinn drehen</translation>
    </message>
    <message>
        <source>Turn the box by 1° counter-clockwise</source>
        <translation>Den Quader um 1° gegen den Uhrzeigersinn drehen</translation>
    </message>
    <message>
        <source>Turn upright</source>
        <translation>Aufrecht drehen</translation>
    </message>
    <message>
        <source>Turned</source>
        <translation>Gedreht</translation>
    </message>
    <message>
        <source>Turned by %1°, moved by %2 cm.</source>
        <translation>Gedreht um %1°, verschoben um %2 cm.</translation>
    </message>
    <message>
        <source>Turned counter-clockwise as seen from above, degrees</source>
        <translation>Gegen den Uhrzeigersinn gedreht, von oben gesehen, Grad</translation>
    </message>
    <message>
        <source>turned left</source>
        <translation>links gedreht</translation>
    </message>
    <message>
        <source>turned right</source>
        <translation>rechts gedreht</translation>
    </message>
    <message>
        <source>Turned right: clockwise, the top of the calibrated picture is the right side of this one</source>
        <translation>Nach rechts gedreht: im Uhrzeigersinn, oben im kalibrierten Bild ist rechts in diesem</translation>
    </message>
    <message>
        <source>T&amp;urns by</source>
        <translation>Dreht &amp;um</translation>
    </message>
    <message>
        <source>Two detection files are assigned to %1.</source>
        <translation>Zwei Detektionsdateien sind %1 zugeordnet.</translation>
    </message>
    <message>
        <source>Two points nearer to each other are one.</source>
        <translation>Zwei Punkte, die näher beieinander liegen, sind einer.</translation>
    </message>
    <message>
        <source>Two results are needed: analyse the project, keep its parameters and results as a variant, then analyse with others.</source>
        <translation>Zwei Ergebnisse sind nötig: das Projekt analysieren, Parameter und Ergebnisse als Variante behalten, dann mit anderen analysieren.</translation>
    </message>
    <message>
        <source>Two results are needed: those of the project, and those of a variant.</source>
        <translation>Zwei Ergebnisse sind nötig: die des Projekts und die einer Variante.</translation>
    </message>
    <message>
        <source>Two videos are assigned to %1.</source>
        <translation>Zwei Videos sind %1 zugeordnet.</translation>
    </message>
    <message>
        <source>Type a name first.</source>
        <translation>Zuerst einen Namen eingeben.</translation>
    </message>
    <message>
        <source>Type the measured coordinates of three points first.</source>
        <translation>Zuerst die gemessenen Koordinaten von drei Punkten eingeben.</translation>
    </message>
    <message>
        <source>Undecided</source>
        <translation>Unentschieden</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Undo the last change</source>
        <translation>Die letzte Änderung rückgängig machen</translation>
    </message>
    <message>
        <source>Undo what was changed since first (Ctrl+Z).</source>
        <translation>Zuerst rückgängig machen, was seither geändert wurde (Strg+Z).</translation>
    </message>
    <message>
        <source>Undone: %1</source>
        <translation>Rückgängig gemacht: %1</translation>
    </message>
    <message>
        <source>unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>unknown: </source>
        <translation>unbekannt: </translation>
    </message>
    <message>
        <source>Unsettled</source>
        <translation>Unruhige</translation>
    </message>
    <message>
        <source>untitled</source>
        <translation>unbenannt</translation>
    </message>
    <message>
        <source>untouched</source>
        <translation>unverändert</translation>
    </message>
    <message>
        <source>unverified</source>
        <translation>ungeprüft</translation>
    </message>
    <message>
        <source>&amp;Up</source>
        <translation>&amp;Höher</translation>
    </message>
    <message>
        <source>up</source>
        <translation>oben</translation>
    </message>
    <message>
        <source>Up axis of the calibration</source>
        <translation>Hochachse der Kalibrierung</translation>
    </message>
    <message>
        <source>up is</source>
        <translation>Oben ist</translation>
    </message>
    <message>
        <source>Up, 1 cm</source>
        <translation>Höher, 1 cm</translation>
    </message>
    <message>
        <source>Up, centimetres</source>
        <translation>Nach oben, Zentimeter</translation>
    </message>
    <message>
        <source>&amp;Use</source>
        <translation>&amp;Verwenden</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>Use a file name that ends in .pdf or .html.</source>
        <translation>Einen Dateinamen verwenden, der auf .pdf oder .html endet.</translation>
    </message>
    <message>
        <source>Use a name that ends in .mp4, .mkv or .avi.</source>
        <translation>Einen Namen verwenden, der auf .mp4, .mkv oder .avi endet.</translation>
    </message>
    <message>
        <source>Use a name that ends in .png.</source>
        <translation>Einen Namen verwenden, der auf .png endet.</translation>
    </message>
    <message>
        <source>&amp;Use as</source>
        <translation>&amp;Verwenden als</translation>
    </message>
    <message>
        <source>Use Detections</source>
        <translation>Detektionen nutzen</translation>
    </message>
    <message>
        <source>Use detections</source>
        <translation>Detektionen nutzen</translation>
    </message>
    <message>
        <source>Use Marks</source>
        <translation>Marken verwenden</translation>
    </message>
    <message>
        <source>Use no detection file</source>
        <translation>Keine Detektionsdatei verwenden</translation>
    </message>
    <message>
        <source>Use no empty-scene clip</source>
        <translation>Keinen Clip der leeren Szene verwenden</translation>
    </message>
    <message>
        <source>Use smaller streams of the cameras, fewer stages (Timings shows which take long) or a faster machine.</source>
        <translation>Kleinere Ströme der Kameras, weniger Stufen (Zeitmessung zeigt, welche lange dauern) oder einen schnelleren Rechner verwenden.</translation>
    </message>
    <message>
        <source>&amp;Use Swept Value</source>
        <translation>Wert &amp;verwenden</translation>
    </message>
    <message>
        <source>Use the marked instants: one gives the offset, two far apart also the drift</source>
        <translation>Die markierten Augenblicke verwenden: einer ergibt den Versatz, zwei weit auseinander auch die Drift</translation>
    </message>
    <message>
        <source>Use Value</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>&amp;Use Variant</source>
        <translation>Variante &amp;verwenden</translation>
    </message>
    <message>
        <source>&amp;User</source>
        <translation>&amp;Benutzer</translation>
    </message>
    <message>
        <source>U&amp;ser</source>
        <translation>Be&amp;nutzer</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Benutzer</translation>
    </message>
    <message>
        <source>User name</source>
        <translation>Benutzername</translation>
    </message>
    <message>
        <source>User name and password are kept in %1, not in the project.</source>
        <translation>Benutzername und Passwort werden in %1 gespeichert, nicht im Projekt.</translation>
    </message>
    <message>
        <source>User name at the broker; it is kept with the password</source>
        <translation>Benutzername beim Broker; wird mit dem Passwort gespeichert</translation>
    </message>
    <message>
        <source>Usual acceleration</source>
        <translation>Übliche Beschleunigung</translation>
    </message>
    <message>
        <source>Usual speed</source>
        <translation>Übliche Geschwindigkeit</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Value that these frames belong to</source>
        <translation>Wert, zu dem diese Bilder gehören</translation>
    </message>
    <message>
        <source>Va&amp;lues</source>
        <translation>We&amp;rte</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Values (*.csv);;Pictures (*.svg *.pdf *.png)</source>
        <translation>Werte (*.csv);;Bilder (*.svg *.pdf *.png)</translation>
    </message>
    <message>
        <source>Values are compared on the range between I and O</source>
        <translation>Werte werden auf dem Bereich zwischen I und O verglichen</translation>
    </message>
    <message>
        <source>Values behind the answer</source>
        <translation>Werte hinter der Antwort</translation>
    </message>
    <message>
        <source>Values measured</source>
        <translation>Gemessene Werte</translation>
    </message>
    <message>
        <source>Values of a parameter are being measured.</source>
        <translation>Werte eines Parameters werden gemessen.</translation>
    </message>
    <message>
        <source>Values of the second parameter</source>
        <translation>Werte des zweiten Parameters</translation>
    </message>
    <message>
        <source>Vantage</source>
        <translation>Vantage</translation>
    </message>
    <message>
        <source>Vantage closed unexpectedly while starting.</source>
        <translation>Vantage wurde beim Start unerwartet beendet.</translation>
    </message>
    <message>
        <source>Vantage closed unexpectedly with %1 open.</source>
        <translation>Vantage wurde unerwartet beendet, während %1 offen war.</translation>
    </message>
    <message>
        <source>Vantage closed unexpectedly.</source>
        <translation>Vantage wurde unerwartet beendet.</translation>
    </message>
    <message>
        <source>Vantage closed unexpectedly. Unsaved changes to %1 were kept.</source>
        <translation>Vantage wurde unerwartet beendet. Ungespeicherte Änderungen vom %1 wurden aufgehoben.</translation>
    </message>
    <message>
        <source>Vantage projects (*.vantage)</source>
        <translation>Vantage-Projekte (*.vantage)</translation>
    </message>
    <message>
        <source>Vantage: %1</source>
        <translation>Vantage: %1</translation>
    </message>
    <message>
        <source>Vantage: cameras</source>
        <translation>Vantage: Kameras</translation>
    </message>
    <message>
        <source>Vantage: scene</source>
        <translation>Vantage: Szene</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>Variant of Results</source>
        <translation>Variante aus Ergebnissen</translation>
    </message>
    <message>
        <source>Variant of &amp;Results…</source>
        <translation>Variante aus E&amp;rgebnissen…</translation>
    </message>
    <message>
        <source>&amp;Variants</source>
        <translation>&amp;Varianten</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>Varianten</translation>
    </message>
    <message>
        <source>Velocity jitter</source>
        <translation>Bewegungsstreuung</translation>
    </message>
    <message>
        <source>verified</source>
        <translation>verglichen</translation>
    </message>
    <message>
        <source>&amp;Verify</source>
        <translation>Ver&amp;gleichen</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Version and licence</source>
        <translation>Version und Lizenz</translation>
    </message>
    <message>
        <source>video</source>
        <translation>Video</translation>
    </message>
    <message>
        <source>Video of the Board</source>
        <translation>Video der Tafel</translation>
    </message>
    <message>
        <source>&amp;Video of the Board…</source>
        <translation>&amp;Video der Tafel…</translation>
    </message>
    <message>
        <source>Video of the Hand-Held Camera</source>
        <translation>Video der Handkamera</translation>
    </message>
    <message>
        <source>Videos (%1);;All files (*)</source>
        <translation>Videos (%1);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Videos (*.mp4 *.mkv *.avi *.mov *.webm *.m4v);;All files (*)</source>
        <translation>Videos (*.mp4 *.mkv *.avi *.mov *.webm *.m4v);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Videos, detections, results, ground truth and all else that the project has, with paths that open anywhere.</source>
        <translation>Videos, Detektionen, Ergebnisse, Referenz und alles andere, was zum Projekt gehört, mit Pfaden, die überall gelten.</translation>
    </message>
    <message>
        <source>Video…</source>
        <translation>Video…</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Sicht</translation>
    </message>
    <message>
        <source>View combination</source>
        <translation>Verknüpfung der Ansichten</translation>
    </message>
    <message>
        <source>view of %1</source>
        <translation>Sicht vom %1</translation>
    </message>
    <message>
        <source>view since this start</source>
        <translation>Sicht seit diesem Start</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Views of the cameras</source>
        <translation>Sichten der Kameras</translation>
    </message>
    <message>
        <source>&amp;Volume</source>
        <translation>Vol&amp;umen</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>Volumen</translation>
    </message>
    <message>
        <source>volume in sight %1 litres</source>
        <translation>Volumen im Blick %1 Liter</translation>
    </message>
    <message>
        <source>Volume of alarms</source>
        <translation>Lautstärke der Alarme</translation>
    </message>
    <message>
        <source>Volume of all that the cameras see in this frame and that is not of the empty scene, people and things: a person has 60 to 100 litres, more where few cameras see them</source>
        <translation>Volumen von allem, was die Kameras in diesem Bild sehen und nicht zur leeren Szene gehört, Personen und Dinge: Eine Person hat 60 bis 100 Liter, mehr, wo wenige Kameras sie sehen</translation>
    </message>
    <message>
        <source>Volu&amp;me's colour</source>
        <translation>Volu&amp;menfarbe</translation>
    </message>
    <message>
        <source>volume: bodies that explain the masks where volume stands; occupancy: cells of the probabilistic occupancy map, from the masks alone; fused: the cameras' detections together, unknown in frames in which fewer than two cameras have any, and tracks continue over those; automatic: fused where the project has detections, else volume.</source>
        <translation>volume: Körper, die die Masken erklären, wo Volumen steht; occupancy: Zellen der Belegungskarte, aus den Masken allein; fused: die Detektionen der Kameras zusammen, unbekannt in Bildern, in denen weniger als zwei Kameras welche haben, und Spuren laufen darüber weiter; automatic: fused, wo das Projekt Detektionen hat, sonst volume.</translation>
    </message>
    <message>
        <source>voxel</source>
        <translation>Voxel</translation>
    </message>
    <message>
        <source>Voxel size and region belong to the project, once it is calibrated.</source>
        <translation>Voxelgröße und Gebiet gehören zum Projekt, sobald es kalibriert ist.</translation>
    </message>
    <message>
        <source>Voxel size and region belong to the project: voxels of %1 cm, a region of %2 × %3 × %4 m. Shift+R edits the region; a new project chooses the voxel size (vantage-cli new --voxel-size).</source>
        <translation>Voxelgröße und Gebiet gehören zum Projekt: Voxel von %1 cm, ein Gebiet von %2 × %3 × %4 m. Umschalt+R bearbeitet das Gebiet; ein neues Projekt wählt die Voxelgröße (vantage-cli new --voxel-size).</translation>
    </message>
    <message>
        <source>Voxels below it are left out: shadows and reflections lie on the floor.</source>
        <translation>Voxel darunter werden ausgelassen: Schatten und Spiegelungen liegen auf dem Boden.</translation>
    </message>
    <message>
        <source>Wa&amp;it</source>
        <translation>Warte&amp;zeit</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>Waiting for the foreground of this frame.</source>
        <translation>Wartet auf den Vordergrund dieses Bilds.</translation>
    </message>
    <message>
        <source>Waiting for the pictures of this frame.</source>
        <translation>Wartet auf die Kamerabilder dieses Bilds.</translation>
    </message>
    <message>
        <source>&amp;Wall that Follows</source>
        <translation>Mitfolgende &amp;Wand</translation>
    </message>
    <message>
        <source>warning: </source>
        <translation>Warnung: </translation>
    </message>
    <message>
        <source>Warnings about zones and lines</source>
        <translation>Warnungen zu Zonen und Linien</translation>
    </message>
    <message>
        <source>Warnings, errors and notes of this session are listed here, the newest last.</source>
        <translation>Warnungen, Fehler und Hinweise dieser Sitzung stehen hier, die neuesten zuletzt.</translation>
    </message>
    <message>
        <source>was in a place</source>
        <translation>war an einem Ort</translation>
    </message>
    <message>
        <source>was there</source>
        <translation>war da</translation>
    </message>
    <message>
        <source>watched while running</source>
        <translation>im Betrieb überwacht</translation>
    </message>
    <message>
        <source>WAV sounds (*.wav);;All files (*)</source>
        <translation>WAV-Töne (*.wav);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Way</source>
        <translation>Richtung</translation>
    </message>
    <message>
        <source>Web server (webhook)</source>
        <translation>Webserver (Webhook)</translation>
    </message>
    <message>
        <source>Weigh the window's middle more: sharper than a box, slower.</source>
        <translation>Die Mitte des Fensters stärker gewichten: schärfer als ein Kasten, langsamer.</translation>
    </message>
    <message>
        <source>Weight of colour against brightness; with more, soft shadows become foreground more often.</source>
        <translation>Gewicht der Farbe gegen die Helligkeit; bei mehr werden weiche Schatten öfter zu Vordergrund.</translation>
    </message>
    <message>
        <source>Weight of rejected peaks</source>
        <translation>Gewicht abgelehnter Gipfel</translation>
    </message>
    <message>
        <source>Weight of tracks</source>
        <translation>Gewicht der Spuren</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>what</source>
        <translation>was</translation>
    </message>
    <message>
        <source>What a path pays for each second of frames in which no one was found there; a frame counts as the time since the frame before, at most 0.25 s.</source>
        <translation>Was ein Weg für jede Sekunde von Bildern zahlt, in denen dort niemand gefunden wurde; ein Bild zählt als die Zeit seit dem Bild davor, höchstens 0,25 s.</translation>
    </message>
    <message>
        <source>What a path pays where it starts, and again where it ends.</source>
        <translation>Was ein Weg zahlt, wo er beginnt, und noch einmal, wo er endet.</translation>
    </message>
    <message>
        <source>What a point loses for each camera that sees its place but found nothing there.</source>
        <translation>Was ein Punkt für jede Kamera verliert, die seinen Ort sieht, aber dort nichts fand.</translation>
    </message>
    <message>
        <source>What all topics begin with: words with '/' between them</source>
        <translation>Womit alle Themen beginnen: Wörter mit „/“ dazwischen</translation>
    </message>
    <message>
        <source>What came back</source>
        <translation>Was zurückkam</translation>
    </message>
    <message>
        <source>What clients send as 'Authorization: Bearer TOKEN'; kept in %1</source>
        <translation>Was Clients als „Authorization: Bearer TOKEN“ senden; gespeichert in %1</translation>
    </message>
    <message>
        <source>What everybody's tracks are searched for</source>
        <translation>Wonach die Spuren aller durchsucht werden</translation>
    </message>
    <message>
        <source>what happened to it?</source>
        <translation>was geschah damit?</translation>
    </message>
    <message>
        <source>What is being read</source>
        <translation>Was gelesen wird</translation>
    </message>
    <message>
        <source>What is kept is from %1 to %2.</source>
        <translation>Gespeichert ist %1 bis %2.</translation>
    </message>
    <message>
        <source>What is known of it: %1</source>
        <translation>Was darüber bekannt ist: %1</translation>
    </message>
    <message>
        <source>What is measured</source>
        <translation>Was gemessen wird</translation>
    </message>
    <message>
        <source>What is missing</source>
        <translation>Was fehlt</translation>
    </message>
    <message>
        <source>What is open, and what to record next</source>
        <translation>Was offen ist und was als Nächstes aufzunehmen ist</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>Was sie tut</translation>
    </message>
    <message>
        <source>what it is about; may be empty</source>
        <translation>worum es geht; darf leer sein</translation>
    </message>
    <message>
        <source>What it means</source>
        <translation>Was es bedeutet</translation>
    </message>
    <message>
        <source>What lies over the picture; Space checks</source>
        <translation>Was über dem Bild liegt; Leertaste hakt an</translation>
    </message>
    <message>
        <source>What receives the messages</source>
        <translation>Was die Nachrichten empfängt</translation>
    </message>
    <message>
        <source>What the camera is called in the project</source>
        <translation>Wie die Kamera im Projekt heißt</translation>
    </message>
    <message>
        <source>What the clicks say</source>
        <translation>Was die Klicks aussagen</translation>
    </message>
    <message>
        <source>What the colour of the volume means</source>
        <translation>Was die Farbe des Volumens bedeutet</translation>
    </message>
    <message>
        <source>What the eye looks at, %1 in the world</source>
        <translation>Worauf das Auge blickt, %1 in der Welt</translation>
    </message>
    <message>
        <source>What the figure shows</source>
        <translation>Was die Abbildung zeigt</translation>
    </message>
    <message>
        <source>What the figures mean</source>
        <translation>Was die Kennzahlen bedeuten</translation>
    </message>
    <message>
        <source>What the proposal changes</source>
        <translation>Was der Vorschlag ändert</translation>
    </message>
    <message>
        <source>What the tracks cannot tell</source>
        <translation>Was die Spuren nicht entscheiden können</translation>
    </message>
    <message>
        <source>What the zone is for</source>
        <translation>Wozu die Zone dient</translation>
    </message>
    <message>
        <source>What to do when an analysis is certain that a camera is out of step with the others</source>
        <translation>Was zu tun ist, wenn eine Analyse sicher ist, dass eine Kamera nicht mit den anderen synchron ist</translation>
    </message>
    <message>
        <source>What to show next</source>
        <translation>Was als Nächstes zu zeigen ist</translation>
    </message>
    <message>
        <source>What was found of the chosen board</source>
        <translation>Was von der gewählten Tafel gefunden wurde</translation>
    </message>
    <message>
        <source>What was timed</source>
        <translation>Was gemessen wurde</translation>
    </message>
    <message>
        <source>Wheel: zoom. Drag: move. Click: select. Keys: + − ← → 0</source>
        <translation>Mausrad: vergrößern. Ziehen: verschieben. Klick: auswählen. Tasten: + − ← → 0</translation>
    </message>
    <message>
        <source>When anybody</source>
        <translation>Wenn jemand</translation>
    </message>
    <message>
        <source>When did each camera start? Find it from what they show, or mark the same instant in each.</source>
        <translation>Wann begann jede Kamera? Aus dem Gezeigten bestimmen oder in jeder denselben Augenblick markieren.</translation>
    </message>
    <message>
        <source>When it begins</source>
        <translation>Wann es beginnt</translation>
    </message>
    <message>
        <source>When the rule would have fired: choose a time to see it</source>
        <translation>Wann die Regel ausgelöst hätte: eine Zeit auswählen, um sie zu sehen</translation>
    </message>
    <message>
        <source>When there are</source>
        <translation>Wenn</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>Where masks disagree, only pixels of both are inside: in the chosen rows, or all</source>
        <translation>Wo Masken abweichen, sind nur Pixel beider innen: in den gewählten Zeilen, oder allen</translation>
    </message>
    <message>
        <source>Where masks disagree, ours stay: the chosen rows, or all, leave the list</source>
        <translation>Wo Masken abweichen, bleiben die eigenen: Die gewählten Zeilen, oder alle, verlassen die Liste</translation>
    </message>
    <message>
        <source>Where masks disagree, pixels of either are inside: in the chosen rows, or all</source>
        <translation>Wo Masken abweichen, sind Pixel aus einer von beiden innen: in den gewählten Zeilen, oder allen</translation>
    </message>
    <message>
        <source>Where masks disagree, the worst first</source>
        <translation>Wo Masken abweichen, die schlechtesten zuerst</translation>
    </message>
    <message>
        <source>Where masks disagree, theirs replace ours: in the chosen rows, or all</source>
        <translation>Wo Masken abweichen, ersetzen fremde die eigenen: in den gewählten Zeilen, oder allen</translation>
    </message>
    <message>
        <source>Where messages go</source>
        <translation>Wohin Nachrichten gehen</translation>
    </message>
    <message>
        <source>Where the eye is, in degrees from x towards y</source>
        <translation>Wo das Auge steht, in Grad von x nach y</translation>
    </message>
    <message>
        <source>Where the plane lies along its axis, metres</source>
        <translation>Wo die Ebene entlang ihrer Achse liegt, Meter</translation>
    </message>
    <message>
        <source>Whether agreement is a share of the cameras that see a place or of all cameras.</source>
        <translation>Ob die Übereinstimmung ein Anteil der Kameras ist, die einen Ort sehen, oder aller Kameras.</translation>
    </message>
    <message>
        <source>Whether anyone is here is unknown: %1.</source>
        <translation>Ob hier jemand ist, ist unbekannt: %1.</translation>
    </message>
    <message>
        <source>Whether it is known how it stands to the other boards</source>
        <translation>Ob bekannt ist, wie sie zu den anderen Tafeln liegt</translation>
    </message>
    <message>
        <source>Which classes of the detections are people, names or numbers: 0, or person,rider</source>
        <translation>Welche Klassen der Detektionen Personen sind, Namen oder Nummern: 0, oder person,rider</translation>
    </message>
    <message>
        <source>Which differences are listed and gone to</source>
        <translation>Welche Unterschiede aufgeführt und angesprungen werden</translation>
    </message>
    <message>
        <source>Which epipolar line's signals are shown</source>
        <translation>Welcher Epipolarlinie Signale gezeigt werden</translation>
    </message>
    <message>
        <source>Which number in the names of files or pictures is the frame: 1, 2, …, time or order</source>
        <translation>Welche Zahl in den Namen von Dateien oder Bildern das Bild ist: 1, 2, …, time oder order</translation>
    </message>
    <message>
        <source>Which of the two is better by the ground truth drawn here, or that these frames do not tell them apart</source>
        <translation>Welches von beiden nach der hier gezeichneten Referenz besser ist, oder dass diese Bilder sie nicht unterscheiden</translation>
    </message>
    <message>
        <source>Which values</source>
        <translation>Welche Werte</translation>
    </message>
    <message>
        <source>Which way</source>
        <translation>Richtung</translation>
    </message>
    <message>
        <source>While a person is followed, show the camera that sees them best large and the others small</source>
        <translation>Während einer Person gefolgt wird, die Kamera, die sie am besten sieht, groß und die anderen klein zeigen</translation>
    </message>
    <message>
        <source>White from a tag to the next, millimetres</source>
        <translation>Weißer Zwischenraum von Marke zu Marke, Millimeter</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>Wer</translation>
    </message>
    <message>
        <source>Who exports it; recorded in the signed manifest</source>
        <translation>Wer exportiert; steht im signierten Manifest</translation>
    </message>
    <message>
        <source>Who hands over; printed on the page</source>
        <translation>Wer übergibt; steht auf dem Blatt</translation>
    </message>
    <message>
        <source>Who is made unrecognisable in every camera; a picture in which this cannot be guaranteed is blurred as a whole and counted</source>
        <translation>Wer in jeder Kamera unkenntlich gemacht wird; ein Bild, in dem das nicht sicher gelingt, wird ganz unkenntlich gemacht und gezählt</translation>
    </message>
    <message>
        <source>W&amp;hole Recording</source>
        <translation>&amp;Ganze Aufzeichnung</translation>
    </message>
    <message>
        <source>Whose picture</source>
        <translation>Wessen Bild</translation>
    </message>
    <message>
        <source>&amp;Why</source>
        <translation>&amp;Warum</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Why &amp;Here?</source>
        <translation>Warum &amp;hier?</translation>
    </message>
    <message>
        <source>Why nothing is drawn</source>
        <translation>Warum nichts gezeichnet ist</translation>
    </message>
    <message>
        <source>Why This Pi&amp;xel?</source>
        <translation>Warum dieses Pi&amp;xel?</translation>
    </message>
    <message>
        <source>&amp;Width</source>
        <translation>B&amp;reite</translation>
    </message>
    <message>
        <source>width</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source>Width along its own y, metres</source>
        <translation>Breite entlang der eigenen y-Achse, Meter</translation>
    </message>
    <message>
        <source>Width and height of the calibrated picture, pixels</source>
        <translation>Breite und Höhe des kalibrierten Bilds, Pixel</translation>
    </message>
    <message>
        <source>Width of the Gaussian weight of that fit: 1.1 goes with 5, 1.5 with 7.</source>
        <translation>Breite des Gaußgewichts dieser Anpassung: 1,1 gehört zu 5, 1,5 zu 7.</translation>
    </message>
    <message>
        <source>Width of the rectangles that stand for people.</source>
        <translation>Breite der Rechtecke, die für Personen stehen.</translation>
    </message>
    <message>
        <source>Width of the whole figure in pixels, an even number; the height follows</source>
        <translation>Breite der ganzen Abbildung in Pixeln, eine gerade Zahl; die Höhe folgt</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Wipe</source>
        <translation>Wischblende</translation>
    </message>
    <message>
        <source>With a calibration, a head of which no view is sure is found where several views together suggest it.</source>
        <translation>Mit Kalibrierung wird ein Kopf, dessen keine Ansicht sicher ist, gefunden, wo mehrere zusammen auf ihn deuten.</translation>
    </message>
    <message>
        <source>With a calibration, heads of people smaller than this are not searched for.</source>
        <translation>Mit Kalibrierung werden Köpfe kleinerer Personen nicht gesucht.</translation>
    </message>
    <message>
        <source>With a calibration, heads of people taller than this are not searched for.</source>
        <translation>Mit Kalibrierung werden Köpfe größerer Personen nicht gesucht.</translation>
    </message>
    <message>
        <source>With a calibration, the picture of a camera that hangs askew is turned before heads are searched for.</source>
        <translation>Mit Kalibrierung wird das Bild einer schief hängenden Kamera gedreht, bevor Köpfe gesucht werden.</translation>
    </message>
    <message>
        <source>With the picture of the nearest camera that sees the place (JPEG, at most 1280 px wide)</source>
        <translation>Mit dem Bild der nächsten Kamera, die den Ort sieht (JPEG, höchstens 1280 px breit)</translation>
    </message>
    <message>
        <source>Without a calibration for every camera there is no 3-D and there are no people; Solve From Footage or a board can give one later.</source>
        <translation>Ohne Kalibrierung jeder Kamera gibt es kein 3-D und keine Personen; Aus Aufnahmen bestimmen oder eine Tafel kann später eine geben.</translation>
    </message>
    <message>
        <source>Without an empty-scene clip: learn the scene from all of the recording, not from its start. With one: what was put there or taken away since then is part of the scene.</source>
        <translation>Ohne Clip der leeren Szene: die Szene aus der ganzen Aufzeichnung lernen, nicht aus ihrem Beginn. Mit einem: Was seither hingestellt oder weggenommen wurde, gehört zur Szene.</translation>
    </message>
    <message>
        <source>Words of a command</source>
        <translation>Wörter eines Befehls</translation>
    </message>
    <message>
        <source>world</source>
        <translation>Welt</translation>
    </message>
    <message>
        <source>World to Bo&amp;x</source>
        <translation>Welt auf &amp;Quader</translation>
    </message>
    <message>
        <source>World to &amp;Measured</source>
        <translation>Welt auf &amp;Messwerte</translation>
    </message>
    <message>
        <source>&amp;Worst</source>
        <translation>S&amp;chlechtestes</translation>
    </message>
    <message>
        <source>Worst frames</source>
        <translation>Schlechteste Bilder</translation>
    </message>
    <message>
        <source>Worst frames of %1</source>
        <translation>Schlechteste Bilder von %1</translation>
    </message>
    <message>
        <source>&amp;Write</source>
        <translation>&amp;Schreiben</translation>
    </message>
    <message>
        <source>Write it as MOTChallenge CSV, or as COCO JSON with boxes in all pictures</source>
        <translation>Als MOTChallenge-CSV schreiben, oder als COCO-JSON mit Rechtecken in allen Bildern</translation>
    </message>
    <message>
        <source>Write &amp;Results</source>
        <translation>&amp;Ergebnisse schreiben</translation>
    </message>
    <message>
        <source>Write the cameras' calibration, as at the frame that is shown, in Vantage's or another program's format</source>
        <translation>Die Kalibrierung der Kameras, wie beim gezeigten Bild, im Format von Vantage oder eines anderen Programms schreiben</translation>
    </message>
    <message>
        <source>Write the case; the window can be used meanwhile</source>
        <translation>Den Fall schreiben; das Fenster bleibt bedienbar</translation>
    </message>
    <message>
        <source>Write the chosen plot as SVG, PDF or PNG, or its values as CSV, as vantage-cli plot does</source>
        <translation>Das gewählte Diagramm als SVG, PDF oder PNG schreiben, oder seine Werte als CSV, wie vantage-cli plot</translation>
    </message>
    <message>
        <source>Write the page; the window can be used meanwhile</source>
        <translation>Das Blatt schreiben; das Fenster bleibt bedienbar</translation>
    </message>
    <message>
        <source>Write the people, with cameras, floor and zones, for other programs: glTF, USD, MCAP, FiftyOne or CVAT</source>
        <translation>Personen mit Kameras, Boden und Zonen für andere Programme schreiben: glTF, USD, MCAP, FiftyOne oder CVAT</translation>
    </message>
    <message>
        <source>Write the project file and open it</source>
        <translation>Die Projektdatei schreiben und öffnen</translation>
    </message>
    <message>
        <source>Write the results of every set from now on, until Stop</source>
        <translation>Die Ergebnisse jedes Bildsatzes ab jetzt schreiben, bis Stopp</translation>
    </message>
    <message>
        <source>Write the results to another folder</source>
        <translation>Die Ergebnisse in einen anderen Ordner schreiben</translation>
    </message>
    <message>
        <source>Write the table of measured figures as CSV</source>
        <translation>Die Tabelle der gemessenen Kennzahlen als CSV schreiben</translation>
    </message>
    <message>
        <source>Write the timings to a file</source>
        <translation>Die Zeitmessung in eine Datei schreiben</translation>
    </message>
    <message>
        <source>Write what happened in the marked range and what is left to do, to be printed</source>
        <translation>Aufschreiben, was im markierten Bereich geschah und was noch zu tun ist, zum Ausdrucken</translation>
    </message>
    <message>
        <source>Write what the views show to a PNG file</source>
        <translation>Was die Ansichten zeigen, in eine PNG-Datei schreiben</translation>
    </message>
    <message>
        <source>Written to %1. It contains file names and parameters, but no pictures: read it before you send it.</source>
        <translation>Nach %1 geschrieben. Der Bericht enthält Dateinamen und Parameter, aber keine Bilder: vor dem Versenden lesen.</translation>
    </message>
    <message>
        <source>Wrong</source>
        <translation>Falsch</translation>
    </message>
    <message>
        <source>x</source>
        <translation>x</translation>
    </message>
    <message>
        <source>x %1  y %2 m, seen by %3 of %4</source>
        <translation>x %1  y %2 m, gesehen von %3 von %4</translation>
    </message>
    <message>
        <source>x %1  y %2:  %3</source>
        <translation>x %1  y %2:  %3</translation>
    </message>
    <message>
        <source>x %1 m</source>
        <translation>x %1 m</translation>
    </message>
    <message>
        <source>x %1 m, y %2 m</source>
        <translation>x %1 m, y %2 m</translation>
    </message>
    <message>
        <source>x %1, y %2 m</source>
        <translation>x %1, y %2 m</translation>
    </message>
    <message>
        <source>x %1, y %2 m, set</source>
        <translation>x %1, y %2 m, gesetzt</translation>
    </message>
    <message>
        <source>x as now</source>
        <translation>x wie jetzt</translation>
    </message>
    <message>
        <source>x axis</source>
        <translation>x-Achse</translation>
    </message>
    <message>
        <source>x towards %1</source>
        <translation>x auf %1 zu</translation>
    </message>
    <message>
        <source>x y; x y; … in metres</source>
        <translation>x y; x y; … in Metern</translation>
    </message>
    <message>
        <source>y</source>
        <translation>y</translation>
    </message>
    <message>
        <source>y %1 m</source>
        <translation>y %1 m</translation>
    </message>
    <message>
        <source>yyyy-MM-dd</source>
        <translation>dd.MM.yyyy</translation>
    </message>
    <message>
        <source>z</source>
        <translation>z</translation>
    </message>
    <message>
        <source>Zone</source>
        <translation>Zone</translation>
    </message>
    <message>
        <source>&amp;Zones and Lines</source>
        <translation>&amp;Zonen und Linien</translation>
    </message>
    <message>
        <source>&amp;Zones and lines</source>
        <translation>&amp;Zonen und Linien</translation>
    </message>
    <message>
        <source>Zones and Lines</source>
        <translation>Zonen und Linien</translation>
    </message>
    <message>
        <source>Zones and lines need a calibration.</source>
        <translation>Zonen und Linien brauchen eine Kalibrierung.</translation>
    </message>
    <message>
        <source>Zones and lines with counts</source>
        <translation>Zonen und Linien mit Zählungen</translation>
    </message>
    <message>
        <source>&amp;Zoom In</source>
        <translation>Ver&amp;größern</translation>
    </message>
    <message>
        <source>Zoo&amp;m Out</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>Zoom out to everything recorded (0 in the timeline)</source>
        <translation>Auf alles Aufgezeichnete verkleinern (0 in der Zeitleiste)</translation>
    </message>
    <message>
        <source>°</source>
        <translation>°</translation>
    </message>
    <message>
        <source>±</source>
        <translation>±</translation>
    </message>
    <message>
        <source>×</source>
        <translation>×</translation>
    </message>
    <message>
        <source>– over</source>
        <translation>– vorbei</translation>
    </message>
    <message>
        <source>“Analyse on” takes effect with the next start, “Language” when this dialog is closed, everything else at once.</source>
        <translation>„Analysieren auf“ wirkt beim nächsten Start, „Sprache“ beim Schließen dieses Dialogs, alles andere sofort.</translation>
    </message>
    <message>
        <source>“one unit is”</source>
        <translation>„Eine Einheit ist“</translation>
    </message>
    <message>
        <source>“up is”</source>
        <translation>„Oben ist“</translation>
    </message>
    <message>
        <source>↑</source>
        <translation>↑</translation>
    </message>
    <message>
        <source>→</source>
        <translation>→</translation>
    </message>
    <message>
        <source>↓</source>
        <translation>↓</translation>
    </message>
    <message>
        <source>▲ %1</source>
        <translation>▲ %1</translation>
    </message>
    <message>
        <source>▲ %1 not tell who is there in frame %2: it was not analysed, or with too few pictures.</source>
        <translation>▲ %1 nicht, wer in Bild %2 da ist: Es wurde nicht analysiert, oder mit zu wenigen Kamerabildern.</translation>
    </message>
    <message>
        <source>▲ calibrated at %1×%2. %3</source>
        <translation>▲ kalibriert mit %1×%2. %3</translation>
    </message>
    <message>
        <source>▲ cameras cover %1 of it</source>
        <translation>▲ Kameras decken %1 davon ab</translation>
    </message>
    <message>
        <source>▲ Out of date: %1 has changed since. Analyse and compare again.</source>
        <translation>▲ Veraltet: %1 hat sich seither geändert. Noch einmal analysieren und vergleichen.</translation>
    </message>
    <message>
        <source>▲ Out of date: the ground truth has changed since. Compare again.</source>
        <translation>▲ Veraltet: Die Referenz hat sich seither geändert. Noch einmal vergleichen.</translation>
    </message>
    <message>
        <source>▲ The frame rates differ: %1 frames/s. Each camera is stepped at its own; correct a wrong one in its row.</source>
        <translation>▲ Die Bildraten unterscheiden sich: %1 Bilder/s. Jede Kamera läuft mit ihrer eigenen; eine falsche in ihrer Zeile korrigieren.</translation>
    </message>
</context>
</TS>
