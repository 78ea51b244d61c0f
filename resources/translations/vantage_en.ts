<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Vantage</name>
    <message numerus="yes">
        <source> %n are drawn here already.</source>
        <translation>
            <numerusform> 1 is drawn here already.</numerusform>
            <numerusform> %n are drawn here already.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> %n are of cameras that the project does not have.</source>
        <translation>
            <numerusform> 1 is of a camera that the project does not have.</numerusform>
            <numerusform> %n are of cameras that the project does not have.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> %n events differ.</source>
        <translation>
            <numerusform> 1 event differs.</numerusform>
            <numerusform> %n events differ.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> %n were painted here already, and stay.</source>
        <translation>
            <numerusform> 1 was painted here already, and stays.</numerusform>
            <numerusform> %n were painted here already, and stay.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> with its results of %n frames</source>
        <translation>
            <numerusform> with its results of 1 frame</numerusform>
            <numerusform> with its results of %n frames</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 new of %n events</source>
        <translation>
            <numerusform>%1 new of 1 event</numerusform>
            <numerusform>%1 new of %n events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cameras found</source>
        <translation>
            <numerusform>%n camera found</numerusform>
            <numerusform>%n cameras found</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>1 file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n frames</source>
        <translation>
            <numerusform>1 frame</numerusform>
            <numerusform>%n frames</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n masks added, the same as ours: %1.</source>
        <translation>
            <numerusform>1 mask added, the same as ours: %1.</numerusform>
            <numerusform>%n masks added, the same as ours: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n masks imported.</source>
        <translation>
            <numerusform>1 mask imported.</numerusform>
            <numerusform>%n masks imported.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>1 more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pictures are blurred as a whole.</source>
        <translation>
            <numerusform>1 picture is blurred as a whole.</numerusform>
            <numerusform>%n pictures are blurred as a whole.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n repairs no longer apply</source>
        <translation>
            <numerusform>1 repair no longer applies</numerusform>
            <numerusform>%n repairs no longer apply</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n true people imported.</source>
        <translation>
            <numerusform>1 true person imported.</numerusform>
            <numerusform>%n true people imported.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n events</source>
        <translation>
            <numerusform>, 1 event</numerusform>
            <numerusform>, %n events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n people</source>
        <translation>
            <numerusform>, 1 person</numerusform>
            <numerusform>, %n people</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; blocks of %n frames</source>
        <translation>
            <numerusform>; blocks of 1 frame</numerusform>
            <numerusform>; blocks of %n frames</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Custody log: %n entries</source>
        <translation>
            <numerusform>Custody log: %n entry</numerusform>
            <numerusform>Custody log: %n entries</numerusform>
        </translation>
    </message>
</context>
</TS>
